/* p15_open: the open list of a best-first search: a bucket queue.
 *
 * An entry is a board, or a board and a word of the search's own. It is filed under a row (the priority: the smallest
 * row is served first) and a column (which breaks ties: the smallest column first); entries of one row and column are
 * taken in the order in which they were put, or in the reverse order.
 *
 *     rows[priority] -> columns[] -> list: chunk -> chunk -> ..      a chunk: 1 kB of entries, and a link
 *
 * First-in-first-out lists link a chunk to the next younger one and are served at their head; last-in-first-out lists
 * link to the next older one and are served at their tail. Empty chunks are used again.
 *
 * Cost: 8 (or 16) bytes per entry; put and take touch the memory that the last put or take of this list has touched.
 *
 * One thread at a time. */
#ifndef P15_BEST_FIRST_OPEN_H
#define P15_BEST_FIRST_OPEN_H

#include "base/board.h"
#include "base/cpu.h"
#include "base/pages.h"
#include "search/memory.h"

#define P15_OPEN_MOST_ROWS (1u << 20)
#define P15_OPEN_CHUNK_BYTES 1024u
#define P15_OPEN_COLUMNS 256u

typedef struct {
    uint32_t head, tail; /* chunks; tail is 0 when the list is empty; head is for first-in-first-out lists only */
    uint16_t head_at,
        tail_at; /* the first entry in head; behind the last one in tail. Empty: tail_at is a full chunk's */
} p15_open_list;

typedef struct {
    p15_open_list *lists; /* [columns]; NULL until the row is first used */
    size_t count;         /* entries in this row */
    unsigned first;       /* no smaller column has entries */
} p15_open_row;

typedef struct {
    bool last_first, wide;
    unsigned columns, per_chunk;
    p15_open_row *rows;
    unsigned row_count;
    unsigned row;    /* no smaller row has entries */
    size_t count;    /* entries */
    p15_pages pages; /* of chunks; chunk 0 is not used */
    size_t chunk_room, chunk_count;
    uint32_t unused;    /* chunks that are empty again, linked; 0: none */
    p15_memory *memory; /* where chunks, rows and lists are counted */
} p15_open;

/* An empty list; `wide` entries have a word beside the board; `columns` is 1 .. P15_OPEN_COLUMNS. P15_ERR_MEMORY,
 * nothing to free. */
p15_status p15_open_init(bool last_first, bool wide, unsigned columns, p15_memory *memory, p15_open *open);
void p15_open_free(p15_open *open); /* also of zeros */

/* The entries of a chunk; the word before them is its link. */
P15_INLINE uint64_t *p15_open_entries(const p15_open *open, uint32_t chunk) {
    return (uint64_t *)open->pages.memory + (size_t)chunk * (P15_OPEN_CHUNK_BYTES / 8) + 1;
}

/* The rare part of p15_open_put: gives a list that has no room for an entry another chunk. */
p15_status p15_open_extend(p15_open *open, unsigned row, unsigned column);

/* The rare part of p15_open_take: takes the chunk that has become empty out of a list. */
void p15_open_shrink(p15_open *open, p15_open_list *list);

/* Drops all entries of a list that is first-in-first-out. */
void p15_open_clear(p15_open *open);

/* Files an entry; P15_ERR_MEMORY when there is no room, P15_ERR_ARGUMENT for a row beyond P15_OPEN_MOST_ROWS: no entry
 * has changed then. */
P15_INLINE p15_status p15_open_put(p15_open *open, unsigned row, unsigned column, p15_board board, uint64_t word) {
    if (row >= open->row_count || !open->rows[row].lists || open->rows[row].lists[column].tail_at == open->per_chunk) {
        p15_status status = p15_open_extend(open, row, column);
        if (status) return status;
    }
    p15_open_row *r = &open->rows[row];
    p15_open_list *list = &r->lists[column];
    uint64_t *entries = p15_open_entries(open, list->tail);
    unsigned at = list->tail_at++;
    if (open->wide) {
        entries[2 * at] = board;
        entries[2 * at + 1] = word;
    } else {
        entries[at] = board;
    }
    r->count++;
    open->count++;
    if (column < r->first) r->first = column;
    if (row < open->row) open->row = row;
    return P15_OK;
}

/* The list of a row with entries that is served first. Afterwards the row's `first` says where it is. */
P15_INLINE p15_open_list *p15_open_first_of(p15_open_row *row) {
    while (!row->lists[row->first].tail) row->first++;
    return &row->lists[row->first];
}

/* The list that is served next, or NULL. Afterwards open->row and that row's `first` say where it is. */
P15_INLINE p15_open_list *p15_open_first(p15_open *open) {
    if (open->count == 0) return NULL;
    while (open->rows[open->row].count == 0) open->row++;
    return p15_open_first_of(&open->rows[open->row]);
}

/* Takes the entry that is served first from a list with entries, that of a row. `word` is left alone where entries are
 * narrow. */
P15_INLINE void p15_open_take_from(p15_open *open, p15_open_row *row, p15_open_list *list, p15_board *board,
                                   uint64_t *word) {
    const uint64_t *entries = p15_open_entries(open, open->last_first ? list->tail : list->head);
    unsigned at = open->last_first ? --list->tail_at : list->head_at++;
    *board = entries[open->wide ? 2 * at : at];
    if (open->wide) *word = entries[2 * at + 1];
    if (open->last_first ? list->tail_at == 0
                         : list->head_at == (list->head == list->tail ? list->tail_at : open->per_chunk))
        p15_open_shrink(open, list);
    row->count--;
    open->count--;
}

/* Takes the entry that is served next, with its row and column. False: there is none. */
P15_INLINE bool p15_open_take(p15_open *open, unsigned *row, unsigned *column, p15_board *board, uint64_t *word) {
    p15_open_list *list = p15_open_first(open);
    if (!list) return false;
    *row = open->row;
    *column = open->rows[open->row].first;
    p15_open_take_from(open, &open->rows[open->row], list, board, word);
    return true;
}

/* The board that is served first from a list with entries. */
P15_INLINE p15_board p15_open_peek(const p15_open *open, const p15_open_list *list) {
    const uint64_t *entries = p15_open_entries(open, open->last_first ? list->tail : list->head);
    unsigned at = open->last_first ? list->tail_at - 1u : list->head_at;
    return entries[open->wide ? 2 * at : at];
}

/* The board that will be taken next if nothing is put before it. 0 if there is none. */
P15_INLINE p15_board p15_open_next(p15_open *open) {
    const p15_open_list *list = p15_open_first(open);
    return list ? p15_open_peek(open, list) : 0;
}

#endif
