#include "optimal/path.h"

#include <string.h>

p15_status p15_path_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *path, unsigned length) {
    uint8_t dirs[P15_MAX_LENGTH];
    if (length > P15_MAX_LENGTH) return P15_ERR_ANSWER;
    for (unsigned i = 0; i < length; i++) dirs[i] = (uint8_t)p15_path_move(path, i);
    return p15_board_replay(board, goal, shape, dirs, length);
}

void p15_path_transform(const uint8_t *lengths, size_t count, const uint8_t to[P15_DIRECTIONS], uint8_t *paths) {
    uint8_t four[256]; /* moves at a time */
    for (unsigned byte = 0; byte < 256; byte++)
        four[byte] = (uint8_t)(to[byte & 3u] | to[byte >> 2 & 3u] << 2 | to[byte >> 4 & 3u] << 4 | to[byte >> 6] << 6);
    for (size_t i = 0; i < count; i++) {
        uint8_t *path = paths + i * P15_PATH_BYTES;
        unsigned whole = lengths[i] / 4u, rest = 2u * (lengths[i] % 4u);
        for (unsigned byte = 0; byte < whole; byte++) path[byte] = four[path[byte]];
        if (rest) path[whole] = (uint8_t)(four[path[whole]] & ((1u << rest) - 1u));
    }
}

size_t p15_path_count(const uint8_t *lengths, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += lengths[i] ? lengths[i] : 1u;
    return sum;
}

p15_status p15_path_follow(const p15_board *boards, const uint8_t *lengths, const uint8_t *paths, size_t count,
                           p15_shape shape, p15_board *out_boards, uint8_t *out_lengths, uint8_t *out_paths,
                           uint32_t *out_starts) {
    size_t row = 0;
    for (size_t i = 0; i < count; i++) {
        p15_board board = boards[i];
        if (p15_board_check(board, shape) != P15_OK) return P15_ERR_BOARD;
        unsigned blank = p15_board_blank(board), left = lengths[i];
        uint8_t path[P15_PATH_BYTES];
        memcpy(path, paths + i * P15_PATH_BYTES, sizeof path);
        for (;;) {
            out_boards[row] = board;
            out_lengths[row] = (uint8_t)left;
            memcpy(out_paths + row * P15_PATH_BYTES, path, sizeof path);
            out_starts[row++] = (uint32_t)i;
            if (left == 0) break;
            int cell = p15_cell_neighbour(shape, blank, path[0] & 3u);
            if (cell < 0) return P15_ERR_ARGUMENT;
            board = p15_board_slide(board, blank, (unsigned)cell);
            blank = (unsigned)cell;
            for (unsigned byte = 0; byte < P15_PATH_BYTES; byte++) {
                unsigned next = byte + 1 < P15_PATH_BYTES ? path[byte + 1] : 0u;
                path[byte] = (uint8_t)(path[byte] >> 2 | next << 6);
            }
            if (--left == 0) break; /* the goal */
        }
    }
    return P15_OK;
}

void p15_path_beside(const p15_board *boards, const uint8_t *lengths, const uint8_t *known, size_t count,
                     p15_shape shape, p15_board *children, uint8_t *limits, uint8_t *skip) {
    for (size_t i = 0; i < count; i++) {
        p15_board board = boards[i];
        bool is_board = p15_board_check(board, shape) == P15_OK;
        unsigned blank = is_board ? p15_board_blank(board) : 0;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            size_t at = P15_DIRECTIONS * i + dir;
            int cell = is_board ? p15_cell_neighbour(shape, blank, dir) : -1;
            skip[at] = cell < 0 || lengths[i] == 0 || (known[i] >> dir & 1u);
            limits[at] = (uint8_t)(lengths[i] ? lengths[i] - 1u : 0u);
            children[at] = skip[at] ? 0 : p15_board_slide(board, blank, (unsigned)cell);
        }
    }
}
