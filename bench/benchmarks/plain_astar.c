/* The plain loop that the package's A* is measured against: what a good textbook program does. Boards as 16 bytes in
 * one growing array of nodes, a hash table of indices into it, a binary heap ordered by f and then by larger g,
 * Manhattan distance updated by the moved tile, no undo of the last move.
 *
 * Reads boards (16 numbers each, the goal has the blank first) from standard input, and writes for each one: length,
 * expanded, nodes, seconds of processor time. Compiled and run by bench_bestfirst.py. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    uint8_t tiles[16];
    uint8_t blank, last, g, h, closed;
} node;

typedef struct {
    uint32_t index;
    uint8_t f, g;
} entry;

static node *nodes;
static size_t node_count, node_room;
static uint32_t *table; /* index + 1, 0 for none */
static size_t table_size;
static entry *heap;
static size_t heap_count, heap_room;
static int distance[16][16];

static void *grown(void *memory, size_t bytes) {
    memory = realloc(memory, bytes);
    if (!memory) exit(1);
    return memory;
}

static uint64_t hash(const uint8_t *tiles) {
    uint64_t x = 14695981039346656037u;
    for (int i = 0; i < 16; i++) x = (x ^ tiles[i]) * 1099511628211u;
    return x ^ x >> 32;
}

/* Where a board is in the table, or the empty place where it belongs. */
static size_t place_of(const uint8_t *tiles) {
    size_t place = hash(tiles) & (table_size - 1);
    while (table[place] && memcmp(nodes[table[place] - 1].tiles, tiles, 16) != 0)
        place = (place + 1) & (table_size - 1);
    return place;
}

static int before(entry a, entry b) { return a.f != b.f ? a.f < b.f : a.g > b.g; }

static void push(entry e) {
    if (heap_count == heap_room) heap = grown(heap, (heap_room = heap_room ? 2 * heap_room : 1024) * sizeof *heap);
    size_t at = heap_count++;
    for (; at > 0 && before(e, heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = e;
}

static entry pop(void) {
    entry top = heap[0], last = heap[--heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap_count) break;
        if (child + 1 < heap_count && before(heap[child + 1], heap[child])) child++;
        if (!before(heap[child], last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

static void add_node(const node *n) {
    if (node_count == node_room) nodes = grown(nodes, (node_room = node_room ? 2 * node_room : 1024) * sizeof *nodes);
    if (2 * (node_count + 1) > table_size) {
        table_size = table_size ? 2 * table_size : 4096;
        free(table);
        table = calloc(table_size, sizeof *table);
        if (!table) exit(1);
        for (size_t i = 0; i < node_count; i++) table[place_of(nodes[i].tiles)] = (uint32_t)i + 1;
    }
    table[place_of(n->tiles)] = (uint32_t)node_count + 1;
    nodes[node_count] = *n;
    push((entry){(uint32_t)node_count, (uint8_t)(n->g + n->h), n->g});
    node_count++;
}

static int solve(const uint8_t *tiles, uint64_t *expanded) {
    static const int steps[4] = {-4, -1, 1, 4};
    node start = {.last = 9};
    memcpy(start.tiles, tiles, 16);
    for (int cell = 0; cell < 16; cell++) {
        if (tiles[cell] == 0) start.blank = (uint8_t)cell;
        start.h = (uint8_t)(start.h + distance[tiles[cell]][cell]);
    }
    add_node(&start);
    for (;;) {
        uint32_t index = pop().index;
        node n = nodes[index];
        if (n.closed) continue;
        if (n.h == 0) return n.g;
        nodes[index].closed = 1;
        (*expanded)++;
        for (int direction = 0; direction < 4; direction++) {
            int cell = n.blank + steps[direction];
            if (direction + n.last == 3 || cell < 0 || cell > 15) continue;
            if ((direction == 1 && n.blank % 4 == 0) || (direction == 2 && n.blank % 4 == 3)) continue;
            node child = n;
            int tile = n.tiles[cell];
            child.tiles[n.blank] = (uint8_t)tile;
            child.tiles[cell] = 0;
            child.blank = (uint8_t)cell;
            child.last = (uint8_t)direction;
            child.g = (uint8_t)(n.g + 1);
            child.h = (uint8_t)(n.h + distance[tile][n.blank] - distance[tile][cell]);
            uint32_t known = table[place_of(child.tiles)];
            if (!known) {
                add_node(&child);
            } else if (child.g < nodes[known - 1].g) {
                nodes[known - 1] = child;
                push((entry){known - 1, (uint8_t)(child.g + child.h), child.g});
            }
        }
    }
}

int main(void) {
    uint8_t tiles[16];
    unsigned number;
    for (int tile = 1; tile < 16; tile++)
        for (int cell = 0; cell < 16; cell++)
            distance[tile][cell] = abs(tile / 4 - cell / 4) + abs(tile % 4 - cell % 4);
    for (int i = 0; scanf("%u", &number) == 1; i = (i + 1) % 16) {
        tiles[i] = (uint8_t)number;
        if (i < 15) continue;
        uint64_t expanded = 0;
        node_count = heap_count = 0;
        if (table) memset(table, 0, table_size * sizeof *table);
        clock_t began = clock();
        if (!table) table = calloc(table_size = 4096, sizeof *table);
        int length = solve(tiles, &expanded);
        printf("%d %llu %zu %.6f\n", length, (unsigned long long)expanded, node_count,
               (double)(clock() - began) / CLOCKS_PER_SEC);
    }
    return 0;
}
