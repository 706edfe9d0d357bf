#include "search/best_first/open.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (P15_OPEN_CHUNK_BYTES / 8 - 1) /* of entries in a chunk; the first word is the link */

p15_status p15_open_init(bool last_first, bool wide, unsigned columns, p15_memory *memory, p15_open *open) {
    memset(open, 0, sizeof *open);
    open->last_first = last_first;
    open->wide = wide;
    open->columns = columns;
    open->per_chunk = wide ? WORDS / 2 : WORDS;
    open->memory = memory;
    uint64_t most = (uint64_t)UINT32_MAX * P15_OPEN_CHUNK_BYTES;
    size_t left = p15_memory_left(memory), least = 4 * P15_OPEN_CHUNK_BYTES;
    if (left < least) return P15_ERR_MEMORY;
    p15_status status = p15_pages_reserve(least, left < most ? left : (size_t)most, &open->pages);
    if (status) return status;
    open->chunk_room = open->pages.bytes / P15_OPEN_CHUNK_BYTES;
    open->chunk_count = 1;
    memory->used += P15_OPEN_CHUNK_BYTES;
    return P15_OK;
}

void p15_open_free(p15_open *open) {
    for (unsigned row = 0; row < open->row_count; row++) free(open->rows[row].lists);
    free(open->rows);
    p15_pages_release(&open->pages);
}

static uint64_t *link_of(const p15_open *open, uint32_t chunk) { return p15_open_entries(open, chunk) - 1; }

/* Makes a row and its lists. */
static p15_status make_row(p15_open *open, unsigned row) {
    if (row >= P15_OPEN_MOST_ROWS) return P15_ERR_ARGUMENT;
    if (row >= open->row_count) {
        unsigned count = open->row_count ? open->row_count : 64;
        while (count <= row) count *= 2;
        size_t more = (count - open->row_count) * sizeof *open->rows;
        if (p15_memory_left(open->memory) < more) return P15_ERR_MEMORY;
        p15_open_row *rows = realloc(open->rows, count * sizeof *rows);
        if (!rows) return P15_ERR_MEMORY;
        memset(rows + open->row_count, 0, more);
        open->memory->used += more;
        open->rows = rows;
        open->row_count = count;
    }
    if (!open->rows[row].lists) {
        size_t bytes = open->columns * sizeof(p15_open_list);
        p15_open_list *lists = p15_memory_left(open->memory) < bytes ? NULL : calloc(1, bytes);
        if (!lists) return P15_ERR_MEMORY;
        for (unsigned i = 0; i < open->columns; i++) lists[i].tail_at = (uint16_t)open->per_chunk;
        open->memory->used += bytes;
        open->rows[row].lists = lists;
    }
    return P15_OK;
}

p15_status p15_open_extend(p15_open *open, unsigned row, unsigned column) {
    if (row >= open->row_count || !open->rows[row].lists) {
        p15_status status = make_row(open, row);
        if (status) return status;
    }
    uint32_t chunk = open->unused;
    if (chunk)
        open->unused = (uint32_t)*link_of(open, chunk);
    else if (open->chunk_count < open->chunk_room &&
             p15_pages_use(&open->pages, (open->chunk_count + 1) * P15_OPEN_CHUNK_BYTES) == P15_OK &&
             p15_memory_take(open->memory, P15_OPEN_CHUNK_BYTES))
        chunk = (uint32_t)open->chunk_count++;
    else
        return P15_ERR_MEMORY;
    p15_open_list *list = &open->rows[row].lists[column];
    *link_of(open, chunk) = open->last_first ? list->tail : 0;
    if (!list->tail) {
        list->head = chunk;
        list->head_at = 0;
    } else if (!open->last_first) {
        *link_of(open, list->tail) = chunk;
    }
    list->tail = chunk;
    list->tail_at = 0;
    return P15_OK;
}

void p15_open_shrink(p15_open *open, p15_open_list *list) {
    uint32_t chunk = open->last_first ? list->tail : list->head, next = (uint32_t)*link_of(open, chunk);
    *link_of(open, chunk) = open->unused;
    open->unused = chunk;
    if (open->last_first) {
        list->tail = next;
        list->tail_at = (uint16_t)open->per_chunk;
    } else if (chunk == list->tail) {
        list->tail = 0;
        list->tail_at = (uint16_t)open->per_chunk;
    } else {
        list->head = next;
        list->head_at = 0;
    }
}

void p15_open_clear(p15_open *open) {
    for (; open->count > 0; open->row++) {
        p15_open_row *row = &open->rows[open->row];
        for (unsigned column = 0; column < open->columns && row->count > 0; column++) {
            p15_open_list *list = &row->lists[column];
            if (!list->tail) continue;
            *link_of(open, list->tail) = open->unused;
            open->unused = list->head;
            list->tail = 0;
            list->tail_at = (uint16_t)open->per_chunk;
        }
        open->count -= row->count;
        row->count = 0;
    }
}
