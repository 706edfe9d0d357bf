// What the modules of the page in one file ask of its worker, asked of the server.

import { ask } from "../interface.js";

export const exact = {
    ask: ({ kind, board, moves, ...options }) => ask(kind, { board, moves }, options),
};
