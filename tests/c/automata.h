/* Automata, and searches of one board, made in one call. */
#ifndef AUTOMATA_H
#define AUTOMATA_H

#include "optimal/automaton.h"

static inline p15_status make_automaton(p15_shape shape, unsigned length, p15_automaton *automaton) {
    p15_automaton_maker *maker;
    automaton->next = NULL;
    p15_status status = p15_automaton_begin(shape, length, &maker);
    while (status == P15_OK && !p15_automaton_go_on(maker, automaton, &status)) continue;
    p15_automaton_maker_delete(maker);
    return status;
}

#endif
