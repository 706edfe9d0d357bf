// Three short lessons: each a link to a search, a question, and an answer. A test compares the numbers with Python's.

import { writeAddress } from "../address.js";
import { Board } from "../core/board.js";
import { element } from "../play/drawing.js";

/** `view` is as in the address; of the numbers of `searches`, `answer` makes sentences. */
export const LESSONS = [
    {
        title: "The order of A*",
        board: "2 3 5/4 0 6/1 7 8",
        view: { algorithm: "a*", second: "a*", "second-ties": "fifo" },
        question: `Both searches are A* and compare f = g + h. Among nodes of equal f, the first one takes the largest
            g, and the second one the node that was made first. Which one expands fewer nodes?`,
        searches: [
            { algorithm: "a*", ties: "larger-g", length: 12, expanded: 21 },
            { algorithm: "a*", ties: "fifo", expanded: 43 },
        ],
        answer: ([deep, wide]) => `The one with the largest g: ${deep.expanded} nodes, and the other ${wide.expanded}.
            Both must expand all nodes whose f is less than the ${deep.length} moves of a shortest solution. Of those
            with f = ${deep.length}, the largest g is nearest to the goal.`,
    },
    {
        title: "A heuristic that is too large",
        board: "1 2 0/8 7 3/5 4 6",
        view: { algorithm: "a*", second: "weighted-a*" },
        question: `The second search is A* with twice the Manhattan distance, which can be more than the moves that are
            left. Does it find a shortest solution, too?`,
        searches: [{ algorithm: "a*", length: 14 }, { algorithm: "weighted-a*", length: 16 }],
        answer: ([exact, weighted]) => `No: it finds ${weighted.length} moves, and A* finds ${exact.length}. When it
            takes the goal with f = ${weighted.length}, nodes of shorter solutions still wait: their f is not less.`,
    },
    {
        title: "The memory of A*, the nodes of IDA*",
        board: "1 2 0/8 7 3/5 4 6",
        view: { algorithm: "ida*", second: "a*" },
        question: "IDA* forgets all nodes but those of one path. How many more nodes than A* does it expand for that?",
        searches: [
            { algorithm: "ida*", length: 14, expanded: 84, iterations: [[10, 3], [12, 36], [14, 45]] },
            { algorithm: "a*", expanded: 40, largest_open: 31, largest_closed: 41 },
        ],
        answer: ([deep, best]) => `IDA* expands ${deep.expanded} nodes:
            ${deep.iterations.map(([bound, expanded]) => `${expanded} within the bound ${bound}`).join(", ")}.
            A* expands ${best.expanded}, but it remembers ${best.largest_closed} closed nodes and up to
            ${best.largest_open} open ones; IDA* remembers a path of at most ${deep.length} moves.`,
    },
];

/** A lesson as an element. */
export function lessonElement({ title, board: text, view, question, answer, searches }) {
    const board = Board.parse(text);
    const href = writeAddress({ board, goal: Board.goal(board.shape) }, "watch", { ...view, step: "0" });
    const reveal = element("details", {}, element("summary", {}, "Answer"), element("p", {}, answer(searches)));
    return element("article", {}, element("h3", {}, element("a", { href }, title)), element("p", {}, question), reveal);
}
