/* p15_text: boards read from lines of text, if they have one of three plain forms.
 *
 *   1 2 3/4 5 6/7 8 0      numbers joined by one space, rows by '/'
 *   1 2 3 4 5 6 7 8 0      numbers joined by one space
 *   123456780              one hexadecimal digit (0 .. 9, a .. f) per cell
 *
 * The blank is 0. A number has no leading zero, and nothing else stands in the line. Python reads these and all other
 * forms (puzzle15/board/notation.py), and says what is wrong with a text; this is its short cut for the many lines that
 * programs write. So a line that is left unread here is no error, and a line that is read here means the same there:
 *   - a line of the first two forms has the word "0", which one-digit notation, where each word is a row of at least
 *     two cells, has not;
 *   - in the third form all digits are tiles and one is 0, so no letter can stand for the blank. */
#ifndef P15_BASE_TEXT_H
#define P15_BASE_TEXT_H

#include "base/board.h"

/* Read `count` lines, which '\n' separates, from text[0 .. length-1]; a line that is not there is empty.
 *
 * boards[i] is the board of line i and shapes[i] its rows and columns. They are 0 if the line has none of the forms, its
 * tiles are not a permutation, or its shape is not `wanted`. If wanted.cells is 0, every shape is; then a board
 * without '/' is square. */
void p15_text_read_lines(const char *text, size_t length, size_t count, p15_shape wanted, p15_board *boards,
                         uint8_t (*shapes)[2]);

#endif
