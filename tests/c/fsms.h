/* Automata, and searches of one board, made in one call. */
#ifndef FSMS_H
#define FSMS_H

#include "optimal/fsm.h"

static inline p15_status make_fsm(p15_shape shape, unsigned length, p15_fsm *fsm) {
    p15_fsm_maker *maker;
    fsm->next = NULL;
    p15_status status = p15_fsm_maker_new(shape, length, &maker);
    while (status == P15_OK && !p15_fsm_maker_run(maker, fsm, &status)) continue;
    p15_fsm_maker_delete(maker);
    return status;
}

#endif
