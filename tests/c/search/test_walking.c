/* p15_walking: every value against a relaxation over states that are written out, the numbers of states that are known
 * of 4x4, and what each move does to the value in the tables that are too large for that. */

#include "search/heuristics/walking_distance.h"
#include "twins.h"

#define REST P15_MAX_LINES /* the goal line of tiles that are not counted */
#define MOST_STATES 3200

/* How many tiles of each goal line stand in each line. */
typedef struct {
    uint8_t blank, counts[P15_MAX_LINES][P15_MAX_LINES + 1];
} state;

typedef struct {
    unsigned lines, width, group, count;
    state states[MOST_STATES];
    unsigned values[MOST_STATES];
} twin;

/* The tiles that look alike: those of a goal line, or of no line that counts. */
static unsigned label_of(const twin *t, unsigned goal_line) { return t->group >> goal_line & 1u ? goal_line : REST; }

static state goal_state(const twin *t, unsigned home_line) {
    state goal;
    memset(&goal, 0, sizeof goal);
    goal.blank = (uint8_t)home_line;
    for (unsigned line = 0; line < t->lines; line++)
        goal.counts[line][label_of(t, line)] = (uint8_t)(t->width - (line == home_line));
    return goal;
}

/* The state after the blank and a tile of `label` in `line` change places; false when there is none. */
static bool exchange(const twin *t, state *s, unsigned line, unsigned label) {
    if (line >= t->lines || (line != s->blank + 1u && line + 1u != s->blank) || s->counts[line][label] == 0)
        return false;
    s->counts[line][label]--;
    s->counts[s->blank][label]++;
    s->blank = (uint8_t)line;
    return true;
}

/* All states by plain search, then Bellman and Ford's relaxation until nothing changes. */
static void twin_fill(unsigned home_line, twin *t) {
    static unsigned nexts[MOST_STATES][2 * (P15_MAX_LINES + 1)], costs[MOST_STATES][2 * (P15_MAX_LINES + 1)];
    static unsigned degrees[MOST_STATES];
    t->states[0] = goal_state(t, home_line);
    t->values[0] = 0;
    t->count = 1;
    for (unsigned i = 0; i < t->count; i++) {
        degrees[i] = 0;
        for (unsigned line = 0; line < t->lines; line++)
            for (unsigned label = 0; label <= REST; label++) {
                state next = t->states[i];
                unsigned found = 0;
                if (!exchange(t, &next, line, label)) continue;
                while (found < t->count && memcmp(&t->states[found], &next, sizeof next)) found++;
                if (found == t->count) {
                    CHECK(t->count < MOST_STATES);
                    t->values[found] = 1000;
                    t->states[t->count++] = next;
                }
                nexts[i][degrees[i]] = found;
                costs[i][degrees[i]++] = label != REST;
            }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < t->count; i++)
            for (unsigned j = 0; j < degrees[i]; j++)
                if (t->values[nexts[i][j]] + costs[i][j] < t->values[i]) {
                    t->values[i] = t->values[nexts[i][j]] + costs[i][j];
                    changed = true;
                }
    }
}

static uint64_t key_of(const p15_walking *walking, const state *s) {
    uint64_t key = 0;
    for (unsigned line = 0; line < walking->lines; line++)
        for (unsigned goal_line = 0; goal_line < walking->lines; goal_line++)
            key += s->counts[line][goal_line] * (p15_walking_unit(walking, goal_line) << (walking->bits * line));
    return key;
}

static void test_every_value(unsigned lines, unsigned width, unsigned home_line, unsigned group) {
    static twin t;
    p15_walking walking;
    unsigned most = 0;
    t.lines = lines;
    t.width = width;
    t.group = group;
    twin_fill(home_line, &t);
    CHECK(p15_walking_init(lines, width, home_line, group, &walking) == P15_OK);
    for (unsigned i = 0; i < t.count; i++) {
        CHECK(p15_walking_value(&walking, key_of(&walking, &t.states[i]), t.states[i].blank) == t.values[i]);
        most = t.values[i] > most ? t.values[i] : most;
    }
    CHECK(walking.state_count == t.count && walking.max_value == most);
    p15_walking_free(&walking);
}

/* Along a walk: a move of the group changes the value by one, any other one not at all. */
static void test_moves(unsigned lines, unsigned width, unsigned home_line, unsigned group, unsigned moves) {
    static twin t;
    p15_walking walking;
    t.lines = lines;
    t.width = width;
    t.group = group;
    CHECK(p15_walking_init(lines, width, home_line, group, &walking) == P15_OK);
    state s = goal_state(&t, home_line);
    unsigned value = 0;
    CHECK(p15_walking_value(&walking, key_of(&walking, &s), s.blank) == 0);
    while (moves > 0) {
        unsigned label = draw(REST + 1);
        if (!exchange(&t, &s, draw(lines), label)) continue;
        unsigned after = p15_walking_value(&walking, key_of(&walking, &s), s.blank), manhattan = 0;
        CHECK(label == REST ? after == value : after == value + 1 || after + 1 == value);
        value = after;
        for (unsigned line = 0; line < lines; line++)
            for (unsigned goal_line = 0; goal_line < lines; goal_line++)
                manhattan += s.counts[line][goal_line] * (unsigned)abs((int)line - (int)goal_line);
        CHECK(manhattan <= value && (value - manhattan) % 2 == 0 && value <= walking.max_value);
        moves--;
    }
    p15_walking_free(&walking);
}

/* Takahashi's figures, and the largest table of all lines. */
static void test_numbers(void) {
    for (unsigned home_line = 0; home_line < 4; home_line++) {
        p15_walking walking;
        uint32_t states = 0;
        CHECK(p15_walking_init(4, 4, home_line, 15, &walking) == P15_OK);
        CHECK(walking.state_count == 24964 && walking.max_value == 35 && walking.size == 98000);
        for (uint32_t i = 0; i < walking.size; i++) states += walking.values[i] != P15_NO_WALKING_VALUE;
        CHECK(states == walking.state_count);
        p15_walking_free(&walking);
    }
    p15_walking largest;
    CHECK(p15_walking_init(6, 2, 5, 63, &largest) == P15_OK && largest.size == 7001316);
    p15_walking_free(&largest);
}

static void test_errors(void) {
    p15_walking walking;
    CHECK(p15_walking_init(1, 4, 0, 1, &walking) == P15_ERR_ARGUMENT);
    CHECK(p15_walking_init(4, 5, 0, 15, &walking) == P15_ERR_ARGUMENT);
    CHECK(p15_walking_init(4, 4, 4, 15, &walking) == P15_ERR_ARGUMENT);
    CHECK(p15_walking_init(4, 4, 0, 0, &walking) == P15_ERR_ARGUMENT);
    CHECK(p15_walking_init(4, 4, 0, 31, &walking) == P15_ERR_ARGUMENT);
    CHECK(p15_walking_init(7, 2, 6, 127, &walking) == P15_ERR_ARGUMENT); /* a key of 84 bits */
    CHECK(p15_walking_init(8, 2, 7, 15, &walking) == P15_ERR_ARGUMENT);  /* 64 bits */
    CHECK(p15_walking_init(7, 2, 6, 31, &walking) == P15_ERR_ARGUMENT);  /* 120 MB */
}

int main(void) {
    test_numbers();
    for (unsigned home_line = 0; home_line < 3; home_line++) {
        test_every_value(3, 3, home_line, 7);
        test_every_value(3, 5, home_line, 7);
        test_every_value(3, 5, home_line, 3 << home_line & 7);
    }
    test_every_value(2, 8, 0, 3);
    test_every_value(2, 2, 1, 3);
    test_every_value(4, 2, 3, 15);
    test_every_value(5, 2, 1, 7);
    test_every_value(5, 2, 1, 24);
    test_every_value(7, 2, 6, 0x60);
    test_every_value(8, 2, 6, 0xc0);
    test_moves(4, 4, 1, 15, 20000);
    test_moves(5, 3, 4, 31, 20000);
    test_moves(6, 2, 2, 63, 20000);
    test_moves(7, 2, 6, 0x0f, 20000);
    test_moves(7, 2, 6, 0x70, 20000);
    test_moves(8, 2, 0, 0x07, 20000);
    test_moves(8, 2, 0, 0xc0, 20000);
    test_errors();
    return 0;
}
