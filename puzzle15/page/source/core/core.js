// The C core as WebAssembly: sessions that answer boards of one goal, and textbook searches that can be watched.

import { Board } from "./board.js";

/** The core has met an error, which is a fault of this software or a lack of memory. It can be used again. */
export class CoreError extends Error {}

/** The core has ended, and a new one must be loaded. */
class CoreEnded extends Error {}

/** The tile's letter for each direction of the blank. */
export const LETTERS = "DRLU";

const STATUS = ["", "shape", "board", "unsolvable", "pattern", "memory", "corrupt", "argument", "answer"];
const NOT_KNOWN = 255;
const LISTING = ["solution", "wrong", "ended", "waits"];
const MOST_KNOWN = 300_000; // boards that a session remembers
const STATES = ["running", "solved", "failed", "no room"];
const FATES = ["open", "known", "reopened", "cut", "dropped"];
const OPTIONS = [
    ..."kernel heuristics traced promises order0 order1 order2 order3 max_bytes g_weight h_weight h_step".split(" "),
    ..."ties prove rule width below first_bound last_bound table_bytes".split(" "),
];
const COUNTS = "state lower_bound expanded generated reopened largest_open nodes bytes length iterations".split(" ");
const NO_BOUND = 2 ** 32 - 1;
const EXPANSION_BYTES = 96;

/** Replay moves before anyone sees them: the core must not be trusted, either. */
export function replayed(board, moves, goal) {
    if (`${board.apply(moves)}` !== `${goal}`) throw new CoreError(`${moves} does not lead from ${board} to ${goal}`);
    return moves;
}

export class Core {
    #sessions = new Map(); // by shape and home

    /** `data` is what `puzzle15.page` writes: tables, algorithms and more. */
    constructor(exports, data) {
        this.c = exports;
        this.data = data;
        exports._initialize();
        this.buffer = exports.malloc(256);
    }

    static async load(bytes, data) {
        const nothing = () => 0;
        const { instance } = await WebAssembly.instantiate(bytes, {
            wasi_snapshot_preview1: {
                environ_get: nothing,
                environ_sizes_get: (count, size) => {
                    const numbers = new Uint32Array(instance.exports.memory.buffer);
                    numbers[count / 4] = numbers[size / 4] = 0;
                    return 0;
                },
                proc_exit(code) {
                    throw new CoreEnded(`the core has ended with code ${code}`);
                },
            },
        });
        return new Core(instance.exports, data);
    }

    get memory() {
        return this.c.memory.buffer;
    }

    /** The bytes at an address. */
    bytes(address, count) {
        return new Uint8Array(this.memory, address, count);
    }

    check(status) {
        const name = STATUS[status] ?? status;
        if (status) throw new CoreError(name === "memory" ? "There is not enough memory." : `The core reports: ${name}.`);
    }

    /** The session for boards of a goal. It builds its tables when it is made: fractions of a second, once. */
    session(goal) {
        const key = `${goal.shape} ${goal.blank}`;
        if (!this.#sessions.has(key)) {
            if (this.#sessions.size >= 4) {
                const [oldest, session] = this.#sessions.entries().next().value;
                this.c.p15_session_delete(session);
                this.#sessions.delete(oldest);
            }
            this.#sessions.set(key, this.#open(goal));
        }
        return new Session(this, this.#sessions.get(key), goal);
    }

    #open(goal) {
        const session = this.c.p15_session_new(goal.rows, goal.cols, goal.blank);
        if (!session) throw new CoreError("the core has no memory for a session");
        for (const [patterns, cellTo] of this.data.tables[goal.shape][goal.blank]) {
            new Uint16Array(this.memory, this.buffer, patterns.length).set(patterns);
            this.bytes(this.buffer + 128, cellTo.length).set([...cellTo].map((digit) => parseInt(digit, 16)));
            this.check(this.c.p15_session_add(session, this.buffer, patterns.length, this.buffer + 128));
        }
        return session;
    }

    /** A packed board: `names[tile]` is the tile of the core. */
    pack(board, names) {
        return board.tiles.reduceRight((packed, tile) => (packed << 4n) | BigInt(names[tile]), 0n);
    }

    /** The letters of a path: one byte a move, which is a direction of the blank. */
    letters(address, count) {
        return [...this.bytes(address, count)].map((direction) => LETTERS[direction]).join("");
    }
}

/** The names of the tiles in the core, whose goals have them in order: names[tile]. */
function namesFor(goal) {
    const names = [];
    let name = 1;
    for (const tile of goal.tiles) names[tile] = tile ? name++ : 0;
    return names;
}

/** Boards of one goal. Generators do the work in pieces; between two of them, their caller may end them. */
class Session {
    /** `address` is that of a session in the core. */
    constructor(core, address, goal) {
        Object.assign(this, { core, c: core.c, address, goal, names: namesFor(goal) });
        if (this.c.p15_session_known(address) > MOST_KNOWN) this.c.p15_session_forget(address);
    }

    #pack(board) {
        return this.core.pack(board, this.names);
    }

    /** What is begun is brought to its end, or forgotten with all that is known, where an error or the caller ends it. */
    *#run() {
        let ended = false;
        try {
            while (this.c.p15_session_run(this.address, 1 << 15)) yield this.#progress();
            this.core.check(this.c.p15_session_status(this.address));
            ended = true;
        } finally {
            if (!ended) this.c.p15_session_forget(this.address);
        }
    }

    #progress() {
        return {
            expanded: this.c.p15_session_expanded(this.address),
            generated: this.c.p15_session_generated(this.address),
            lower_bound: this.c.p15_session_lower_bound(this.address),
        };
    }

    /** The distance of a board, or null if it is not known yet. */
    known(board) {
        const distance = this.c.p15_session_distance(this.address, this.#pack(board));
        return distance === NOT_KNOWN ? null : distance;
    }

    /** The distance of a board, with a shortest solution in letters. */
    *solve(board) {
        if (!board.canReach(this.goal)) throw new RangeError(`${board} cannot reach ${this.goal}`);
        const packed = this.#pack(board);
        this.core.check(this.c.p15_session_begin(this.address, packed, NOT_KNOWN - 1));
        yield* this.#run();
        const distance = this.known(board);
        if (distance === null) throw new CoreError(`no solution of ${board} was found`);
        this.core.check(this.c.p15_session_solution(this.address, packed));
        const moves = this.core.letters(this.c.p15_session_path(this.address), distance);
        return { distance, moves: replayed(board, moves, this.goal), ...this.#progress() };
    }

    /** The distance of a board, and all its optimal moves. */
    *hint(board) {
        const distance = this.known(board) ?? (yield* this.solve(board)).distance;
        if (distance === 0) return { distance, moves: "" };
        this.core.check(this.c.p15_session_query(this.address, this.#pack(board)));
        yield* this.#run();
        const set = this.c.p15_session_moves(this.address, this.#pack(board));
        const moves = [...LETTERS].filter((_, direction) => set & (1 << direction));
        return { distance, moves: moves.sort().join("") };
    }

    /** The distance of a board and of the board after each move. */
    *analyse(board, moves) {
        const distances = [this.known(board) ?? (yield* this.solve(board)).distance];
        for (const letter of moves) {
            const direction = LETTERS.indexOf(letter);
            const status = this.c.p15_session_query_child(this.address, this.#pack(board), direction);
            this.core.check(status);
            yield* this.#run();
            board = board.apply(letter);
            distances.push(this.known(board));
            yield { done: distances.length - 1, of: moves.length };
        }
        return { distances };
    }

    /** The number of all shortest solutions, and the first of them. */
    *solutions(board, most) {
        const { distance } = yield* this.solve(board);
        this.core.check(this.c.p15_session_reach(this.address, this.#pack(board)));
        yield* this.#run();
        const count = this.c.p15_session_count(this.address);
        if (count < 0) throw new CoreError("no memory to count solutions");
        const solutions = [];
        while (solutions.length < most) {
            const state = LISTING[this.c.p15_session_next_solution(this.address)];
            if (state === "ended") break;
            if (state !== "solution") throw new CoreError(`a list of solutions: ${state}`);
            const moves = this.core.letters(this.c.p15_session_path(this.address), distance);
            solutions.push(replayed(board, moves, this.goal));
        }
        return { distance, count, solutions };
    }
}

/**
 * A textbook search. `options` are those of p15_watched_options by name, `order` as four directions; `tables` says
 * whether the heuristics hold the tables of the session.
 */
export class Watched {
    #tiles = []; // by their names in the core

    constructor(core, start, goal, options, tables) {
        Object.assign(this, { core, c: core.c, start, goal });
        const session = tables ? core.session(goal).address : 0;
        const numbers = new Uint32Array(core.memory, core.buffer, OPTIONS.length);
        const { order, ...others } = options;
        numbers.set(OPTIONS.map((name) => (name.startsWith("order") ? order[name[5]] : (others[name] ?? 0))));
        const status = core.buffer + 4 * OPTIONS.length;
        const names = tables ? namesFor(goal) : goal.tiles.map((_, tile) => tile);
        names.forEach((name, tile) => (this.#tiles[name] = tile));
        const boards = [start, goal].map((board) => core.pack(board, names));
        this.address = this.c.p15_watched_new(start.rows, start.cols, ...boards, core.buffer, session, status);
        core.check(new Uint32Array(core.memory, status, 1)[0]);
    }

    /** Expand about so many nodes; false when the search has ended. */
    run(expansions) {
        return Boolean(this.c.p15_watched_run(this.address, expansions));
    }

    /** What is known so far. */
    report() {
        const numbers = new Float64Array(this.core.memory, this.c.p15_watched_report(this.address), COUNTS.length);
        const counts = Object.fromEntries(COUNTS.map((name, at) => [name, numbers[at]]));
        const iterations = Array.from({ length: counts.iterations }, (_, index) => [
            ...new Float64Array(this.core.memory, this.c.p15_watched_iteration(this.address, index), 3),
        ]);
        const moves = this.#moves(counts);
        return { ...counts, length: moves?.length ?? null, moves, iterations, state: STATES[counts.state] };
    }

    #moves({ length }) {
        if (length < 0) return null;
        const path = this.c.p15_watched_path(this.address);
        if (!path) throw new CoreError("a solution is wrong");
        return replayed(this.start, this.core.letters(path, length), this.goal);
    }

    /** The expansions since the last call. */
    expansions() {
        const count = this.c.p15_watched_expansion_count(this.address);
        if (count < 0) throw new CoreError("no memory for the expansions");
        const view = new DataView(this.core.memory, this.c.p15_watched_expansions(this.address), count * EXPANSION_BYTES);
        const found = Array.from({ length: count }, (_, index) => this.#expansion(view, index * EXPANSION_BYTES));
        this.c.p15_watched_taken(this.address);
        return found;
    }

    #expansion(view, at) {
        const number = (offset) => view.getUint32(at + offset, true);
        const children = Array.from({ length: view.getUint8(at + 25) }, (_, index) => {
            const child = at + 32 + 16 * index;
            return {
                board: this.#board(view.getBigUint64(child, true)),
                move: LETTERS[view.getUint8(child + 8)],
                h: view.getUint8(child + 9),
                fate: FATES[view.getUint8(child + 10)],
                id: view.getUint32(child + 12, true),
            };
        });
        return {
            board: this.#board(view.getBigUint64(at, true)),
            g: number(8),
            h: number(12),
            iteration: number(16),
            bound: number(20) === NO_BOUND ? null : number(20),
            side: view.getUint8(at + 24) ? "goal" : "start",
            goal: Boolean(view.getUint8(at + 26)),
            id: number(28),
            children,
        };
    }

    #board(packed) {
        const tiles = this.start.tiles.map((_, cell) => this.#tiles[Number((packed >> BigInt(4 * cell)) & 15n)]);
        return `${new Board(this.start.rows, this.start.cols, tiles)}`;
    }

    end() {
        this.c.p15_watched_delete(this.address);
    }
}
