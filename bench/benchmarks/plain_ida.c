/* The plain loop that p15_deepening is measured against: IDA* by recursion on an array of tiles that is changed in
 * place, the Manhattan distance carried along by a table of what each move changes (as in Burns, Hatem, Leighton &
 * Ruml, SoCS 2012). 4x4 boards, the goal with the tiles in order and the blank first, moves of the blank up, left,
 * right, down.
 *
 *     plain_ida < BOARDS     a line of 16 tiles each; prints the length and the nodes generated of each, then the
 *                            seconds */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CELLS 16
#define SIDE 4
#define DIRECTIONS 4

static int neighbours[CELLS][DIRECTIONS];
static int changes[CELLS][CELLS][CELLS]; /* [tile][from][to] */
static int tiles[CELLS], bound, length;
static uint64_t generated;

static int distance(int a, int b) { return abs(a / SIDE - b / SIDE) + abs(a % SIDE - b % SIDE); }

static int visit(int blank, int g, int h, int last) {
    if (h == 0) {
        length = g;
        return 1;
    }
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        int cell = neighbours[blank][direction];
        if (cell < 0 || direction == DIRECTIONS - 1 - last) continue;
        generated++;
        int tile = tiles[cell], child_h = h + changes[tile][cell][blank];
        if (g + 1 + child_h > bound) continue;
        tiles[blank] = tile;
        int found = visit(cell, g + 1, child_h, direction);
        tiles[cell] = tile;
        if (found) return 1;
    }
    return 0;
}

int main(void) {
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / SIDE, col = cell % SIDE;
        neighbours[cell][0] = row > 0 ? cell - SIDE : -1;
        neighbours[cell][1] = col > 0 ? cell - 1 : -1;
        neighbours[cell][2] = col + 1 < SIDE ? cell + 1 : -1;
        neighbours[cell][3] = row + 1 < SIDE ? cell + SIDE : -1;
    }
    for (int tile = 1; tile < CELLS; tile++)
        for (int from = 0; from < CELLS; from++)
            for (int to = 0; to < CELLS; to++) changes[tile][from][to] = distance(to, tile) - distance(from, tile);
    clock_t begun = clock();
    for (;;) {
        int blank = 0;
        bound = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (scanf("%d", &tiles[cell]) != 1) {
                printf("%f\n", (double)(clock() - begun) / CLOCKS_PER_SEC);
                return 0;
            }
            if (tiles[cell] == 0)
                blank = cell;
            else
                bound += distance(cell, tiles[cell]);
        }
        generated = 0;
        int h = bound;
        while (!visit(blank, 0, h, DIRECTIONS)) bound += 2;
        printf("%d %llu\n", length, (unsigned long long)generated);
    }
}
