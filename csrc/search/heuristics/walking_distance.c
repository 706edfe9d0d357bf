#include "search/heuristics/walking_distance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BLANK_BIT 61 /* of the blank's line in a listed state; the key is below */

typedef struct {
    uint64_t *states;
    size_t count, room;
} list;

static bool push(list *l, uint64_t state) {
    if (l->count == l->room) {
        size_t room = l->room ? 2 * l->room : 1024;
        uint64_t *memory = realloc(l->states, room * sizeof *memory);
        if (!memory) return false;
        l->states = memory;
        l->room = room;
    }
    l->states[l->count++] = state;
    return true;
}

/* What a tile of this goal line adds to the key when it stands in line 0; 0 when its line is not counted. */
static uint64_t unit_of(const p15_walking *w, unsigned goal_line) {
    int number = w->number[goal_line];
    return number < 0 ? 0 : UINT64_C(1) << ((unsigned)number * w->lines * w->bits);
}

/* Numbers all ways to spread at most `width` tiles over the lines but the last, by their sum; radix[tiles] becomes the
 * number of those of at most so many tiles. */
static bool number_fields(p15_walking *w, uint32_t radix[P15_MAX_CELLS]) {
    uint32_t fields = 1u << ((w->lines - 1) * w->bits), rank = 0;
    w->ranks = calloc(fields, sizeof *w->ranks);
    if (!w->ranks) return false;
    for (unsigned tiles = 0; tiles <= w->width; tiles++) {
        for (uint32_t field = 0; field < fields; field++) {
            unsigned sum = 0;
            for (uint32_t rest = field; rest; rest >>= w->bits) sum += rest & ((1u << w->bits) - 1u);
            if (sum == tiles) w->ranks[field] = (uint16_t)rank++;
        }
        radix[tiles] = rank;
    }
    return true;
}

/* Chooses the counted lines and lays out the table. False: out of memory. */
static bool lay_out(p15_walking *w, unsigned group) {
    unsigned all = (1u << w->lines) - 1u, counted = group;
    uint32_t radix[P15_MAX_CELLS];
    w->rest_cost = group == all;
    /* The home's line has one tile fewer, so it makes the smaller table: another one is left out. */
    if (group == all) counted &= ~(1u << (w->home_line == 0 ? w->lines - 1 : 0));
    for (unsigned line = 0; line < w->lines; line++) w->number[line] = counted >> line & 1u ? (int8_t)w->counted++ : -1;
    assert(w->counted * w->lines * w->bits <= BLANK_BIT);
    if (!number_fields(w, radix)) return false;
    size_t size = w->lines;
    for (unsigned line = 0; line < w->lines; line++) {
        if (w->number[line] < 0) continue;
        w->strides[w->number[line]] = (uint32_t)size;
        size *= radix[w->width - (line == w->home_line)];
    }
    w->values = malloc(size);
    if (w->values) memset(w->values, P15_NO_WALKING_VALUE, size);
    return w->values != NULL;
}

/* Lists a state unless it has been listed, with the value of its list. */
static bool reach(p15_walking *w, list *l, unsigned value, uint64_t key, unsigned blank_line) {
    uint8_t *known = &w->values[p15_walking_index(w, key, blank_line)];
    if (*known != P15_NO_WALKING_VALUE) return true;
    *known = (uint8_t)value;
    return push(l, key | (uint64_t)blank_line << BLANK_BIT);
}

/* Breadth-first from the goal's state, level by level. Moves that cost nothing stay on their level. A state has its
 * value when it is first listed, even on the next level: the parity of the group's Manhattan distance is that of the
 * level. */
static bool fill(p15_walking *w, list *level, list *next) {
    uint64_t goal = 0;
    unsigned field = w->lines * w->bits, one = (1u << w->bits) - 1u;
    for (unsigned line = 0; line < w->lines; line++)
        goal += (w->width - (line == w->home_line)) * (unit_of(w, line) << (w->bits * line));
    if (!reach(w, level, 0, goal, w->home_line)) return false;
    for (unsigned value = 0; level->count; value++) {
        next->count = 0;
        for (size_t i = 0; i < level->count; i++) {
            uint64_t key = level->states[i] & ((UINT64_C(1) << BLANK_BIT) - 1);
            unsigned blank = (unsigned)(level->states[i] >> BLANK_BIT);
            for (unsigned line = blank ? blank - 1 : 1; line < w->lines && line <= blank + 1; line += 2) {
                unsigned rest = w->width;
                for (unsigned j = 0; j < w->counted; j++) {
                    unsigned count = (unsigned)(key >> (j * field + line * w->bits)) & one;
                    uint64_t unit = UINT64_C(1) << (j * field);
                    rest -= count;
                    if (count && !reach(w, next, value + 1,
                                        key + (unit << (blank * w->bits)) - (unit << (line * w->bits)), line))
                        return false;
                }
                if (rest && !reach(w, w->rest_cost ? next : level, value + w->rest_cost, key, line)) return false;
            }
        }
        list done = *level;
        *level = *next;
        *next = done;
    }
    return true;
}

/* Makes the table of a group of goal lines. False: out of memory. */
static bool make_table(unsigned lines, unsigned width, unsigned home_line, unsigned group, p15_walking *w) {
    list level = {0}, next = {0};
    *w = (p15_walking){.lines = lines, .width = width, .home_line = home_line, .bits = 1};
    while (width >> w->bits) w->bits++;
    bool made = lay_out(w, group) && fill(w, &level, &next);
    free(level.states);
    free(next.states);
    return made;
}

/* ------------------------------------------------------------------------------------------------ whole boards */

p15_status p15_walking_groups_init(p15_shape shape, p15_board goal, p15_walking_groups *groups) {
    uint8_t goal_of[P15_MAX_CELLS];
    p15_board_locate(goal, shape, goal_of);
    for (unsigned d = 0; d < 2; d++) {
        unsigned lines = d ? shape.cols : shape.rows, width = shape.cells / lines;
        uint8_t *line_of = groups->line_of[d];
        for (unsigned cell = 0; cell < shape.cells; cell++)
            line_of[cell] = (uint8_t)(d ? cell % shape.cols : cell / shape.cols);
        unsigned home_line = line_of[goal_of[0]];
        unsigned count = lines <= 6 ? 1 : lines - 5; /* as many as tables of some MB take */
        groups->group_count[d] = (uint8_t)count;
        for (unsigned g = 0, end = 0; g < count; g++) {
            unsigned begin = end;
            end += (lines - begin + count - g - 1) / (count - g);
            unsigned set = (1u << end) - (1u << begin);
            p15_walking_group *made = &groups->groups[d][g];
            const p15_walking *other = &groups->tables[0][g];
            bool shared = d && other->lines == lines && other->home_line == home_line; /* half the memory */
            made->walking = shared ? other : &groups->tables[d][g];
            if (!shared && !make_table(lines, width, home_line, set, &groups->tables[d][g])) {
                p15_walking_groups_free(groups);
                return P15_ERR_MEMORY;
            }
            for (unsigned tile = 1; tile < shape.cells; tile++) {
                unsigned goal_line = line_of[goal_of[tile]];
                if (set >> goal_line & 1u) groups->group_of[d][tile] = (uint8_t)g;
                for (unsigned cell = 0; cell < shape.cells; cell++)
                    made->keys[cell][tile] = unit_of(made->walking, goal_line) << (line_of[cell] * made->walking->bits);
            }
        }
    }
    return P15_OK;
}

void p15_walking_groups_free(p15_walking_groups *groups) {
    for (unsigned d = 0; d < 2; d++)
        for (unsigned g = 0; g < P15_MAX_GROUPS; g++) {
            free(groups->tables[d][g].ranks);
            free(groups->tables[d][g].values);
        }
}

unsigned p15_walking_groups_value(const p15_walking_groups *groups, p15_board board) {
    unsigned blank = p15_board_blank(board), sum = 0;
    for (unsigned d = 0; d < 2; d++)
        for (unsigned i = 0; i < groups->group_count[d]; i++) {
            const p15_walking_group *g = &groups->groups[d][i];
            sum += p15_walking_value(g->walking, p15_walking_group_key(g, board), groups->line_of[d][blank]);
        }
    return sum;
}
