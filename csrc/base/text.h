/* p15_text: boards read from lines of text, if they have one of the plain forms.
 *
 *   1 2 3/4 5 6/7 8 0                    numbers joined by one space or by a comma, rows by '/'
 *   1 2 3 4 5 6 7 8 0                    the same without rows
 *   [[1, 2, 3], [4, 5, 6], [7, 8, 0]]    JSON, with a space behind each comma or without
 *   [1, 2, 3, 4, 5, 6, 7, 8, 0]
 *   123456780                            one hexadecimal digit (0 .. 9, a .. f) per cell
 *   123 456 780                          the same with a space between rows of at least three cells
 *
 * The blank is 0, or one of _ . - x where there are no brackets. A number has no leading zero, and nothing else stands
 * in the line. Python reads these and all other forms (puzzle15/board/_notation.py), and reports what is wrong with a
 * text; this is its short cut for the many lines that programs write. So a line that is left unread here is no error,
 * and a line that is read here means the same there:
 *   - a line of numbers has a word of one character, the blank. One-digit notation, where each word is a row of at
 *     least two cells, has none;
 *   - in a line of digits all are tiles, and one is 0 or a mark, so no letter can stand for the blank. Lists of numbers
 *     that are padded with zeros, which Python distinguishes from rows of digits, have more than one 0. */
#ifndef P15_BASE_TEXT_H
#define P15_BASE_TEXT_H

#include "base/board.h"

/* Read `count` lines, which '\n' separates, from text[0 .. length-1]; a line that is not there is empty.
 *
 * boards[i] is the board of line i and shapes[i] its rows and columns. They are 0 if the line has none of the forms,
 * its tiles are not a permutation, or its shape is not `wanted`. If wanted.cells is 0, every shape is; then a board
 * without separate rows is square. */
void p15_text_read_lines(const char *text, size_t length, size_t count, p15_shape wanted, p15_board *boards,
                         uint8_t (*shapes)[2]);

#endif
