#include "learning/network/dense.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc does so in C11 anyway */
#endif

#define UNROLL _Pragma("GCC unroll 8")
#define MOST_BOARDS 6u /* that go through a panel together */
#define NEAR 6u        /* cells that differ: 12 rows are cheaper than 15, but not much */

struct p15_dense_batch {
    const p15_dense *network;
    size_t count;
    p15_board board;      /* whose sums of layer 0 are held; 0: none */
    void *sums;           /* [width] of uint16_t or uint32_t: they may leave the range of the signed ones meanwhile */
    float *inputs, *next; /* [room][widest]; the inputs of layer 1 of a quantized network are bytes */
};

/* ---------------------------------------------------------------------------------------------------- activations */

/* exp(x) - 1 of x <= 0. */
P15_INLINE float less_than_one(float x) {
    x = x > -80.0f ? x : -80.0f;
    const float magic = 12582912.0f; /* 1.5 2^23: what is added to it is rounded to a whole number */
    float n = (x * 1.44269504f + magic) - magic;
    float r = (x - n * 0.693145751953125f) - n * 1.42860677e-6f; /* ln(2) in two parts, the first one of 16 bits */
    float sum = 1.0f / 5040;
    sum = sum * r + 1.0f / 720;
    sum = sum * r + 1.0f / 120;
    sum = sum * r + 1.0f / 24;
    sum = sum * r + 1.0f / 6;
    sum = sum * r + 0.5f;
    sum = sum * r + 1.0f;
    sum = sum * r + 1.0f;
    int32_t bits = ((int32_t)n + 127) * (1 << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return sum * power - 1.0f;
}

P15_INLINE void activate(float *x, unsigned count, p15_activation activation) {
    if (activation == P15_RELU)
        for (unsigned i = 0; i < count; i++) x[i] = x[i] > 0 ? x[i] : 0;
    else if (activation == P15_ELU)
        for (unsigned i = 0; i < count; i++) x[i] = x[i] > 0 ? x[i] : less_than_one(x[i] > 0 ? 0 : x[i]);
}

/* ------------------------------------------------------------------------------------------- layer 0: sums of rows */

/* The row of a tile on a cell. */
P15_INLINE const void *row_of(const p15_dense *network, unsigned tile, unsigned cell) {
    size_t size = network->quantized ? sizeof(uint16_t) : sizeof(uint32_t);
    return (const char *)network->rows + (16 * tile + cell) * network->width * size;
}

typedef uint16_t shorts __attribute__((vector_size(32), may_alias));
typedef int16_t signed_shorts __attribute__((vector_size(32), may_alias));
typedef uint32_t words __attribute__((vector_size(32), may_alias));
typedef int32_t signed_words __attribute__((vector_size(32), may_alias));
typedef float floats __attribute__((vector_size(32), may_alias));
#define PARTS 4u /* vectors whose sums are in registers together: their bytes divide a row's */

/* Fill the sums of a board's rows; and take away a row and add another one. */
#define DEFINE_SUMS(vector)                                                                                     \
    P15_INLINE void start_##vector(vector *sums, const void *const *rows, const vector *biases, size_t count) { \
        for (size_t i = 0; i < count; i += PARTS) {                                                             \
            vector part[PARTS];                                                                                 \
            UNROLL for (unsigned p = 0; p < PARTS; p++) part[p] = biases[i + p];                                \
            for (unsigned cell = 0; cell < 16; cell++)                                                          \
                UNROLL for (unsigned p = 0; p < PARTS; p++) part[p] += ((const vector *)rows[cell])[i + p];     \
            UNROLL for (unsigned p = 0; p < PARTS; p++) sums[i + p] = part[p];                                  \
        }                                                                                                       \
    }                                                                                                           \
    P15_INLINE void change_##vector(vector *sums, const vector *less, const vector *more, size_t count) {       \
        for (size_t i = 0; i < count; i++) sums[i] += more[i] - less[i];                                        \
    }
DEFINE_SUMS(shorts)
DEFINE_SUMS(words)

/* Makes the sums those of a board: from its rows, or for a relative by what differs. */
P15_INLINE void follow(p15_dense_batch *batch, p15_board board) {
    const p15_dense *network = batch->network;
    size_t vectors = network->width * (network->quantized ? sizeof(uint16_t) : sizeof(uint32_t)) / sizeof(words);
    uint64_t differ = board ^ batch->board;
    if (differ == 0) return;
    differ = (differ | differ >> 1 | differ >> 2 | differ >> 3) & UINT64_C(0x1111111111111111);
    if (p15_count_bits(differ) > NEAR) {
        const void *rows[16];
        for (unsigned cell = 0; cell < 16; cell++) rows[cell] = row_of(network, p15_board_tile(board, cell), cell);
        if (network->quantized)
            start_shorts(batch->sums, rows, network->biases, vectors);
        else
            start_words(batch->sums, rows, network->biases, vectors);
        differ = 0;
    }
    for (; differ; differ &= differ - 1) {
        unsigned cell = p15_lowest_bit(differ) / 4;
        const void *less = row_of(network, p15_board_tile(batch->board, cell), cell);
        const void *more = row_of(network, p15_board_tile(board, cell), cell);
        if (network->quantized)
            change_shorts(batch->sums, less, more, vectors);
        else
            change_words(batch->sums, less, more, vectors);
    }
    batch->board = board;
}

P15_INLINE void inputs_of_words(const p15_dense *network, const words *sums, const words *less, const words *more,
                                float *x) {
    for (size_t i = 0; i < network->width * sizeof(float) / sizeof(floats); i++) {
        signed_words sum = (signed_words)(sums[i] - less[i] + more[i]);
        ((floats *)x)[i] = __builtin_convertvector(sum, floats) * network->unit;
    }
    activate(x, network->width, network->activation);
}

/* Elements of vectors are shifted as 16 bits; in a plain loop they would be extended to 32 bits. */
P15_INLINE void inputs_of_shorts(const p15_dense *network, const shorts *sums, const shorts *less, const shorts *more,
                                 uint8_t *x) {
    enum { VECTORS = P15_DENSE_BLOCK * sizeof(uint16_t) / sizeof(shorts) };
    for (unsigned i = 0; i < network->width; i += P15_DENSE_BLOCK, x += P15_DENSE_BLOCK) {
        union {
            shorts vectors[VECTORS];
            int16_t of[P15_DENSE_BLOCK];
        } part;
        for (unsigned j = 0; j < VECTORS; j++)
            part.vectors[j] = (shorts)((signed_shorts)(*sums++ - *less++ + *more++) >> network->shift);
        for (unsigned j = 0; j < P15_DENSE_BLOCK; j++) {
            int16_t value = part.of[j] > 0 ? part.of[j] : 0;
            x[j] = (uint8_t)(value < 127 ? value : 127);
        }
    }
}

/* Adds the board after the tile at `cell` slid to `blank`. With tile 0 and the same cell twice, the board itself. */
P15_INLINE void add(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, unsigned blank, bool bytes) {
    const p15_dense *network = batch->network;
    float *x = batch->inputs + batch->count++ * network->widest;
    follow(batch, board);
    const void *less = row_of(network, tile, cell), *more = row_of(network, tile, blank);
    if (bytes)
        inputs_of_shorts(network, batch->sums, less, more, (uint8_t *)x);
    else
        inputs_of_words(network, batch->sums, less, more, x);
}

typedef void add_function(p15_dense_batch *, p15_board, unsigned, unsigned, unsigned);

static void add_of_floats_plain(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, unsigned blank) {
    add(batch, board, tile, cell, blank, false);
}

P15_TARGET_V3 static void add_of_floats_v3(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell,
                                           unsigned blank) {
    add(batch, board, tile, cell, blank, false);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void add_of_floats_v4(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell,
                                           unsigned blank) {
    add(batch, board, tile, cell, blank, false);
}
#endif

static void add_of_bytes_plain(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, unsigned blank) {
    add(batch, board, tile, cell, blank, true);
}

/* For AVX-512, too: vectors of 64 bytes would be read back before the halves that make them are stored. */
P15_TARGET_V3 static void add_of_bytes_v3(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell,
                                          unsigned blank) {
    add(batch, board, tile, cell, blank, true);
}

static add_function *const ADD_OF_FLOATS[] =
    P15_BY_LEVEL(add_of_floats_plain, add_of_floats_v3, add_of_floats_v4, add_of_floats_v4);
static add_function *const ADD_OF_BYTES[] =
    P15_BY_LEVEL(add_of_bytes_plain, add_of_bytes_v3, add_of_bytes_v3, add_of_bytes_v3);

static add_function *add_of(const p15_dense *network) {
    return (network->quantized ? ADD_OF_BYTES : ADD_OF_FLOATS)[network->cpu];
}

void p15_dense_add(p15_dense_batch *batch, p15_board board) { add_of(batch->network)(batch, board, 0, 0, 0); }

void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell) {
    add_of(batch->network)(batch, board, p15_board_tile(board, cell), cell, blank);
}

/* ------------------------------------------------------------------------------------------------ the other layers */

/* Some boards' way through a layer, or through a part of it. */
typedef struct {
    const p15_layer *layer;
    const char *weights, *biases;
    const char *x; /* floats, or bytes */
    float *y;
    size_t stride; /* floats of a board, in x and in y */
} part;

/* The sums of `boards` boards and `lanes` times 16 outputs. Products are added in `chains` parts: in two where one chain
 * alone would wait for each sum. */
typedef void tile(const part *p, unsigned boards, unsigned lanes, unsigned chains);

/* For kinds of vectors, of sums and of floats, and what is multiplied: a float, or four bytes. */
#define DEFINE_TILE(name, target, vector, result, input, add_product)                                                 \
    target P15_INLINE void name(const part *p, unsigned boards, unsigned lanes, unsigned chains) {                    \
        enum { SPLIT = 64 / sizeof(vector) }; /* vectors of 16 outputs */                                             \
        const unsigned count = lanes * SPLIT, step = p->layer->lanes * SPLIT;                                         \
        const vector *rows = (const vector *)p->weights;                                                              \
        vector sums[2][MOST_BOARDS][P15_DENSE_MOST_LANES * SPLIT];                                                    \
        UNROLL for (unsigned b = 0; b < boards; b++) UNROLL for (unsigned v = 0; v < count; v++) {                    \
            sums[0][b][v] = ((const vector *)p->biases)[v];                                                           \
            if (chains == 2) sums[1][b][v] = (vector){0};                                                             \
        }                                                                                                             \
        for (unsigned i = 0; i < p->layer->inputs; i += chains, rows += chains * step)                                \
            UNROLL for (unsigned c = 0; c < chains; c++) UNROLL for (unsigned b = 0; b < boards; b++) {               \
                input x = ((const input *)(p->x + 4 * b * p->stride))[i + c];                                         \
                UNROLL for (unsigned v = 0; v < count; v++) sums[c][b][v] =                                           \
                    add_product(sums[c][b][v], rows[c * step + v], x);                                                \
            }                                                                                                         \
        UNROLL for (unsigned b = 0; b < boards; b++) UNROLL for (unsigned v = 0; v < count; v++) {                    \
            if (chains == 2) sums[0][b][v] += sums[1][b][v];                                                          \
            ((result *)(p->y + b * p->stride))[v] = __builtin_convertvector(sums[0][b][v], result) * p->layer->scale; \
        }                                                                                                             \
    }

typedef float four __attribute__((vector_size(16), may_alias));
#define ADD_ROUNDED(sum, weights, x) ((sum) + (weights) * (x))
#define NO_TARGET
DEFINE_TILE(tile_four, NO_TARGET, four, four, float, ADD_ROUNDED)

#if P15_HAVE_V4
typedef float sixteen __attribute__((vector_size(64), may_alias));
typedef int32_t eight_sums __attribute__((vector_size(32), may_alias));
typedef int32_t sixteen_sums __attribute__((vector_size(64), may_alias));
typedef int32_t four_bytes __attribute__((may_alias));

#define FUSE_EIGHT(sum, weights, x) (floats) _mm256_fmadd_ps((__m256)(weights), _mm256_set1_ps(x), (__m256)(sum))
#define FUSE_SIXTEEN(sum, weights, x) (sixteen) _mm512_fmadd_ps((__m512)(weights), _mm512_set1_ps(x), (__m512)(sum))
DEFINE_TILE(tile_eight, P15_TARGET_V3, floats, floats, float, ADD_ROUNDED)
DEFINE_TILE(tile_fused_eight, P15_TARGET_V3, floats, floats, float, FUSE_EIGHT)
DEFINE_TILE(tile_sixteen, P15_TARGET_V4, sixteen, sixteen, float, ADD_ROUNDED)
DEFINE_TILE(tile_fused_sixteen, P15_TARGET_V4, sixteen, sixteen, float, FUSE_SIXTEEN)

/* x is 0 .. 127 and weights are -127 .. 127, so two products fit 16 bits. */
P15_INLINE P15_TARGET_V3 eight_sums add_bytes(eight_sums sums, eight_sums weights, int32_t x) {
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi32(x), (__m256i)weights);
    return sums + (eight_sums)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

#define ADD_DOTS(sum, weights, x) \
    (sixteen_sums) _mm512_dpbusd_epi32((__m512i)(sum), _mm512_set1_epi32(x), (__m512i)(weights))
DEFINE_TILE(tile_bytes_eight, P15_TARGET_V3, eight_sums, floats, four_bytes, add_bytes)
DEFINE_TILE(tile_bytes_sixteen, P15_TARGET_VNNI, sixteen_sums, sixteen, four_bytes, ADD_DOTS)
#endif

/* A layer of bytes without such instructions. Two inputs' products are added as 16 bits: more of them fit a vector. */
P15_INLINE void run_bytes(const part *p, size_t boards) {
    const p15_layer *l = p->layer;
    for (size_t b = 0; b < boards; b++) {
        const uint8_t *x = (const uint8_t *)p->x + 4 * b * p->stride;
        const int8_t *weights = l->weights;
        for (unsigned group = 0; group < l->outputs; group += P15_DENSE_GROUP) {
            int32_t sums[P15_DENSE_GROUP];
            memcpy(sums, (const int32_t *)l->biases + group, sizeof sums);
            for (unsigned i = 0; i < 4 * l->inputs; i += 2, weights += 2 * P15_DENSE_GROUP) {
                int16_t one = x[i], two = x[i + 1], pairs[P15_DENSE_GROUP];
                for (unsigned o = 0; o < P15_DENSE_GROUP; o++)
                    pairs[o] = (int16_t)(one * weights[o] + two * weights[P15_DENSE_GROUP + o]);
                for (unsigned o = 0; o < P15_DENSE_GROUP; o++) sums[o] += pairs[o];
            }
            for (unsigned o = 0; o < P15_DENSE_GROUP; o++) p->y[b * p->stride + group + o] = (float)sums[o] * l->scale;
        }
    }
}

/* A layer of one output: see dense.h. */
P15_INLINE void run_dot(const part *p, size_t boards) {
    const p15_layer *l = p->layer;
    const float *weights = l->weights, *biases = l->biases;
    for (size_t b = 0; b < boards; b++) {
        const float *restrict x = (const float *)p->x + b * p->stride;
        float sums[P15_DENSE_LANES] = {0}, *y = p->y + b * p->stride;
        for (unsigned i = 0; i < l->inputs; i += P15_DENSE_LANES)
            for (unsigned k = 0; k < P15_DENSE_LANES; k++) sums[k] += x[i + k] * weights[i + k];
        for (unsigned half = P15_DENSE_LANES / 2; half > 0; half /= 2)
            for (unsigned k = 0; k < half; k++) sums[k] += sums[k + half];
        memset(y, 0, P15_DENSE_LANES * sizeof *y);
        y[0] = biases[0] + sums[0];
    }
}

/* All outputs, `lanes` times 16 at once, and all boards, at most `most` of them at once. */
P15_INLINE void run_tiles(part p, size_t boards, unsigned most, unsigned lanes, unsigned chains, tile *tile) {
    const p15_layer *l = p.layer;
    for (unsigned first = 0; first < l->outputs; first += 16 * lanes) {
        size_t panel = first / (16 * l->lanes), inside = first % (16 * l->lanes);
        part q = p;
        q.weights = (const char *)l->weights + 4 * (panel * l->inputs * 16 * l->lanes + inside);
        q.biases = (const char *)l->biases + 4 * first;
        q.y += first;
        for (size_t left = boards, n; left > 0; left -= n, q.x += 4 * n * q.stride, q.y += n * q.stride) {
            n = left < most ? left : most;
            switch (n) {
            case 1:
                tile(&q, 1, lanes, chains);
                break;
            case 2:
                tile(&q, 2, lanes, 1);
                break;
            case 3:
                tile(&q, 3, lanes, 1);
                break;
            case 4:
                tile(&q, 4, lanes, 1);
                break;
            case 5:
                tile(&q, 5, lanes, 1);
                break;
            default:
                tile(&q, 6, lanes, 1);
            }
        }
    }
}

/* With few registers, the panels of floats are done 16 outputs at a time, or, for one board, 32, since sums wait for the
 * one before. */
P15_INLINE void run_layer(const part *p, size_t boards, unsigned most, tile *rounded, tile *fused, unsigned most_bytes,
                          tile *bytes) {
    const p15_layer *l = p->layer;
    bool wide = l->lanes == P15_DENSE_MOST_LANES, many = most == MOST_BOARDS;
    bool two = l->lanes > 1 && (many || boards == 1);
    if (l->bytes && bytes)
        run_tiles(*p, boards, most_bytes, 2, 2, bytes);
    else if (l->bytes)
        run_bytes(p, boards);
    else if (l->lanes == 0)
        run_dot(p, boards);
    else if (wide && many)
        run_tiles(*p, boards, most, P15_DENSE_MOST_LANES, 1, fused);
    else if (wide && two)
        run_tiles(*p, boards, 1, 2, 1, fused);
    else if (wide)
        run_tiles(*p, boards, most, 1, 1, fused);
    else if (two)
        run_tiles(*p, boards, many ? most : 1, 2, 1, rounded);
    else
        run_tiles(*p, boards, most, 1, 1, rounded);
    for (size_t b = 0; b < boards; b++) activate(p->y + b * p->stride, l->outputs, l->activation);
}

typedef void run_function(const part *, size_t);

static void run_plain(const part *p, size_t boards) { run_layer(p, boards, 2, tile_four, tile_four, 0, NULL); }

#if P15_HAVE_V4
P15_TARGET_V3 static void run_v3(const part *p, size_t boards) {
    run_layer(p, boards, 4, tile_eight, tile_fused_eight, 2, tile_bytes_eight);
}

P15_TARGET_V4 static void run_v4(const part *p, size_t boards) {
    run_layer(p, boards, MOST_BOARDS, tile_sixteen, tile_fused_sixteen, 2, tile_bytes_eight);
}

P15_TARGET_VNNI static void run_vnni(const part *p, size_t boards) {
    run_layer(p, boards, MOST_BOARDS, tile_sixteen, tile_fused_sixteen, 4, tile_bytes_sixteen);
}
#else
#define run_v3 run_plain
#endif

static run_function *const RUN[] = P15_BY_LEVEL(run_plain, run_v3, run_v4, run_vnni);

void p15_dense_run(p15_dense_batch *batch, float *outputs) {
    const p15_dense *network = batch->network;
    part p = {.x = (const char *)batch->inputs, .y = batch->next, .stride = network->widest};
    for (unsigned i = 0; i < network->layer_count && batch->count > 0; i++) {
        p.layer = &network->layers[i];
        RUN[network->cpu](&p, batch->count);
        float *made = p.y;
        p.y = (float *)p.x;
        p.x = (const char *)made;
    }
    for (size_t b = 0; b < batch->count; b++) outputs[b] = ((const float *)p.x)[b * p.stride];
    batch->count = 0;
}

/* ---------------------------------------------------------------------------------------------------- batches */

float p15_dense_board(const p15_dense *network, p15_board board) {
    _Alignas(64) float inputs[P15_DENSE_MAX_WIDTH], next[P15_DENSE_MAX_WIDTH];
    _Alignas(64) union {
        uint16_t of_quantized[P15_DENSE_MAX_WIDTH];
        uint32_t of_float[P15_DENSE_MAX_WIDTH];
    } sums;
    p15_dense_batch batch = {.network = network, .sums = &sums, .inputs = inputs, .next = next};
    float output;
    p15_dense_add(&batch, board);
    p15_dense_run(&batch, &output);
    return output;
}

p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **made) {
    *made = NULL;
    if (room < 1 || room > P15_DENSE_MAX_BATCH) return P15_ERR_ARGUMENT;
    size_t floats = room * network->widest;
    p15_dense_batch *batch = calloc(1, sizeof *batch);
    float *memory = batch ? p15_dense_allocate((network->width + 2 * floats) * sizeof *memory) : NULL;
    if (!memory) {
        free(batch);
        return P15_ERR_MEMORY;
    }
    *batch = (p15_dense_batch){.network = network, .sums = memory, .inputs = memory + network->width};
    batch->next = batch->inputs + floats;
    *made = batch;
    return P15_OK;
}

void p15_dense_batch_delete(p15_dense_batch *batch) {
    if (!batch) return;
    p15_dense_release(batch->sums);
    free(batch);
}
