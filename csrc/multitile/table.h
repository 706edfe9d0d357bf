/* p15_multi_table: a pattern's distances in the multi-tile metric.
 *
 * The distance of a state along an axis: the fewest multi-tile moves that bring the pattern's tiles and the blank home,
 * when the first of them is along that axis and the axes alternate. At home it is 0 for both axes. An entry belongs to
 * a line. Each cell of the line has a distance of its own: that of the state there when the next move leaves the line.
 * The entry holds by how much each of them exceeds the smallest one: the cell's excess.
 *
 * One lookup gives the values of all children. Let d be the distance along the line of a state on it. It is 1 more than
 * the smallest distance of the other cells, so d and the excesses determine the distance of each child.
 *
 *     line of      bytes    an entry holds
 *     2 cells      1        the excess, four bits per cell, the first cell lowest; 15 stands for 15 or more
 *     3 cells      2        the same
 * 4 cells      1        a code: 3 * (index of four excesses in the codebook) + the line's smallest distance modulo 3
 *     5 .. 8       4        the excess, four bits per cell
 *
 * A codebook has up to 85 combinations of excesses, above all the most frequent ones. For any other combination, the
 * entry names one whose excesses are no larger, and whose smallest excess beside each cell is the same. So values stay
 * lower bounds. The remainder modulo 3 corrects a value that is too small when the child is expanded. With exact
 * excesses, random 4x4 boards take 15 % fewer nodes and twice the memory.
 *
 * Payload: the codebooks of the axes with lines of 4 cells (P15_CODEBOOK_BYTES each, four bytes per combination), then
 * the entries of axis 0 (rows), then those of axis 1. Numbers of several bytes have the lowest byte first. A table of 6
 * tiles on 4x4 takes 28.8 MB. */
#ifndef P15_MULTITILE_TABLE_H
#define P15_MULTITILE_TABLE_H

#include "multitile/lines.h"

#define P15_MOST_EXCESS 15u
#define P15_CODEBOOK_SIZE 85u   /* combinations: three codes each fit a byte */
#define P15_CODEBOOK_BYTES 512u /* 4 * P15_CODEBOOK_SIZE, rounded up */
#define P15_NEAR_SLOTS (1u << 15)

/* What a code means. */
typedef struct {
    uint32_t excess; /* a byte per cell */
    uint32_t others; /* a byte per cell, bits 0-4: 1 + the smallest excess beside it; bits 6, 7: the remainder */
} p15_multi_code;

/* A line near home. */
typedef struct {
    uint32_t key;     /* 2 * entry + axis + 1; 0: none */
    uint8_t smallest; /* distance of any of its cells */
    uint8_t done;     /* cells whose distances are known */
    uint8_t fresh;    /* cells that were just reached */
} p15_near_line;

typedef struct {
    const p15_line_space *lines;
    const uint8_t *entries[P15_AXES];
    unsigned goal_map; /* the goal cells of the pattern's tiles */
    unsigned home;
    p15_line_state goal[P15_AXES];
    p15_near_line *near;                 /* a hash table of P15_NEAR_SLOTS */
    p15_multi_code codes[P15_AXES][256]; /* of axes with lines of 4 cells */
} p15_multi_table;

static inline bool p15_multi_coded(const p15_line_space *lines, unsigned axis) { return lines->line_cells[axis] == 4; }

/* Bytes of an entry of lines of so many cells. */
static inline unsigned p15_multi_entry_bytes(unsigned line_cells) {
    return line_cells == 2 || line_cells == 4 ? 1 : line_cells == 3 ? 2 : 4;
}

static inline size_t p15_multi_axis_bytes(const p15_line_space *lines, unsigned axis) {
    return p15_line_space_entries(lines, axis) * p15_multi_entry_bytes(lines->line_cells[axis]);
}

static inline size_t p15_multi_codebooks_bytes(const p15_line_space *lines) {
    return P15_CODEBOOK_BYTES * ((size_t)p15_multi_coded(lines, 0) + p15_multi_coded(lines, 1));
}

static inline size_t p15_multi_payload_bytes(const p15_line_space *lines) {
    return p15_multi_codebooks_bytes(lines) + p15_multi_axis_bytes(lines, 0) + p15_multi_axis_bytes(lines, 1);
}

/* A table over a payload, which outlives it. P15_ERR_PATTERN when the pattern does not fit the lines, or has the home
 * in it; P15_ERR_ARGUMENT when the payload has another size; P15_ERR_CORRUPT for a broken codebook; P15_ERR_MEMORY. On
 * success the caller ends it with p15_multi_table_free. */
p15_status p15_multi_table_init(const p15_line_space *lines, const uint8_t *payload, size_t payload_bytes,
                                unsigned goal_map, unsigned home, p15_multi_table *table);
void p15_multi_table_free(p15_multi_table *table);

/* The values of all cells of a line, a byte each: the distance of the state there when the next move leaves the line.
 * `value` is the distance along the line of the state on `cell`, or a lower bound of it; the byte of `cell` itself and
 * those beyond the line mean nothing. */
P15_INLINE uint64_t p15_multi_values(const p15_multi_table *table, unsigned axis, size_t entry, unsigned cells,
                                     unsigned cell, unsigned value) {
    const uint8_t *position = table->entries[axis] + entry * p15_multi_entry_bytes(cells);
    if (cells == 4) {
        p15_multi_code code = table->codes[axis][*position];
        unsigned others = code.others >> (8 * cell) & 255u, below = others & 31u;
        unsigned least = value > below ? value - below : 0;
        least += ((others >> 6) + 2 * least) % 3; /* up to the next number with this remainder */
        return (uint64_t)(code.excess + least * 0x01010101u);
    }
    uint64_t fields = position[0];
    if (cells > 2) fields |= (uint64_t)position[1] << 8;
    if (cells > 4) fields |= (uint64_t)position[2] << 16 | (uint64_t)position[3] << 24;
    fields = (fields | fields << 16) & UINT64_C(0x0000ffff0000ffff);
    fields = (fields | fields << 8) & UINT64_C(0x00ff00ff00ff00ff);
    fields = (fields | fields << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    unsigned others = P15_MOST_EXCESS;
    for (unsigned i = 0; i < cells; i++) {
        unsigned excess = fields >> (8 * i) & 255u;
        if (i != cell && excess < others) others = excess;
    }
    unsigned least = value > others ? value - 1 - others : 0;
    return fields + least * UINT64_C(0x0101010101010101);
}

/* The distances of a state, given on its line of axis 0, when the first move is along each axis. Found by a descent:
 *
 * Where two lines L and M cross, let e be the excess of the state there on each, o the smallest excess beside it, and m
 * the smallest distance of each line. Its distance along L is 1 + m(L) + o(L), and also m(M) + e(M); likewise along M.
 * So
 *
 *     m(L) - m(M) = e(M) - 1 - o(L)        e(L) + e(M) = 2 + o(L) + o(M)
 *
 * An excess may have been lowered, but o never was. The second equation and the remainders modulo 3 show by how much,
 * unless it is more than 2; the descent goes where it is sure. Where it cannot, the values are lower bounds. Rare
 * excesses are common near home, so the lines there are listed when a table is opened. P15_ERR_CORRUPT when the descent
 * does not come home. */
p15_status p15_multi_table_value(const p15_multi_table *table, p15_line_state state, unsigned values[P15_AXES]);

#endif
