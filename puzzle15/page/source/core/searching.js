// Textbook searches in the worker: from the names of the registry to the numbers of the core, and their expansions.

import { Board } from "./board.js";
import { Watched } from "./core.js";

const EXPANSIONS = 1000; // between two looks at the messages, where nobody watches
const MAX_BYTES = 128 * 2 ** 20;
const MAX_BOUND = 255;
const FROM_H = 2 ** 32 - 1;

/** A weight as whole numbers of at most 64: of h and of g. */
export function weights(weight) {
    const g = [1, 2, 5, 10, 20].find((each) => Number.isInteger(Math.round(weight * each * 1e6) / 1e6)) ?? 20;
    return { g_weight: g, h_weight: Math.min(64, Math.round(weight * g)) };
}

/** The options of the core, for an algorithm of the registry and options by the names of `SearchOptions`. */
function numbersOf({ kernel, settings, f, memory }, kernels, heuristics, options) {
    const bits = f.includes("h") ? heuristics.reduce((set, index) => set | (1 << index), 0) : 0;
    return {
        kernel: kernels.indexOf(kernel),
        heuristics: bits,
        order: [...(options.move_order ?? "ULRD")].map((letter) => "ULRD".indexOf(letter)), // of the blank
        max_bytes: MAX_BYTES,
        ...settings,
        ...(options.weight ? weights(options.weight) : {}),
        ...(options.ties ? { ties: ["fifo", "lifo", "larger-g"].indexOf(options.ties) } : {}),
        h_step: options.weight_step ? weights(options.weight).g_weight * options.weight_step : 0,
        width: options.width,
        below: MAX_BOUND,
        first_bound: "max_length" in options ? (options.max_length ?? MAX_BOUND) : FROM_H,
        last_bound: options.max_length ?? MAX_BOUND,
        table_bytes: memory === "a table" ? 2 ** 24 : 0,
    };
}

/**
 * Search. The question: { board, goal, algorithm, heuristics, kernels, options, watch, most }. `algorithm` is a row of
 * the registry, `heuristics` the numbers of KINDS whose maximum is h (one more: the tables), `watch` the number of
 * expansions to write down, `most` that of the generated nodes. Progress holds counts, and `expansions` where watched.
 */
export function* search(core, { board, goal, algorithm, heuristics, kernels, options = {}, watch = 0, most = Infinity }) {
    const [start, end] = [board, goal].map((text) => Board.parse(text));
    const numbers = { ...numbersOf(algorithm, kernels, heuristics, options), traced: watch ? 1 : 0 };
    const begun = performance.now();
    const watched = new Watched(core, start, end, numbers, heuristics.includes(5));
    let written = 0;
    try {
        for (;;) {
            const more = watched.run(watch ? 1 : EXPANSIONS);
            const report = { ...watched.report(), seconds: (performance.now() - begun) / 1000 };
            const expansions = watch ? watched.expansions() : [];
            written += expansions.length;
            const ended = !more || report.generated >= most || (watch && written >= watch);
            if (expansions.length || !watch) yield { ...report, expansions: watch ? expansions : undefined };
            if (ended) return { ...report, truncated: more };
        }
    } finally {
        watched.end();
    }
}
