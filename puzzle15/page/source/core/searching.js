// Textbook searches in the worker, by the numbers of the registry, and their expansions.

import { Board } from "./board.js";
import { Watched } from "./core.js";

const EXPANSIONS = 1000; // between two looks at the messages, where nobody watches
const ORDER = [0, 1, 2, 3]; // of the directions

/** The options of the core for a question about two boards. */
function numbersOf({ ties, informed, bidirectional, name, numbers, by_goal }, goal, question, data) {
    const kinds = informed ? question.heuristics.map((each) => data.heuristics.indexOf(each)) : [];
    if (bidirectional && informed && question.heuristics.includes("tables"))
        throw new RangeError(`${name} needs the heuristic toward the board, too, which tables do not have.`);
    return {
        ...{ ...numbers, ...by_goal?.[goal.shape][goal.blank] },
        ...(ties && question.options.ties ? { ties: data.ties[question.options.ties] } : {}),
        ...{ heuristics: kinds.reduce((set, kind) => set | (1 << kind), 0), order: ORDER, max_bytes: data.max_bytes },
        traced: question.watch ? 1 : 0,
    };
}

/**
 * Search. The question: { board, goal, algorithm, heuristics, options, watch }. `heuristics` are the names of those whose
 * maximum is h, options are { ties }, and `watch` is the number of expansions to write down. Progress and answer hold
 * counts; the answer has the expansions, and is `optimal` where proved.
 */
export function* search(core, { board, goal, algorithm, heuristics = [], options = {}, watch = 0 }) {
    const [start, end] = [board, goal].map((text) => Board.parse(text));
    const row = core.data.algorithms.find(({ name }) => name === algorithm);
    const numbers = numbersOf(row, end, { heuristics, options, watch }, core.data);
    const begun = performance.now();
    const watched = new Watched(core, start, end, numbers, row.informed && heuristics.includes("tables"));
    const expansions = watch ? [] : undefined;
    try {
        for (;;) {
            const more = watched.run(watch ? 1 : EXPANSIONS);
            if (watch) expansions.push(...watched.expansions());
            const report = { ...watched.report(), seconds: (performance.now() - begun) / 1000 };
            if (more && !(watch && expansions.length >= watch)) yield report;
            else {
                const optimal = report.state === "solved" && report.lower_bound === report.length;
                return { ...report, optimal, truncated: more, expansions: expansions?.slice(0, watch) };
            }
        }
    } finally {
        watched.end();
    }
}
