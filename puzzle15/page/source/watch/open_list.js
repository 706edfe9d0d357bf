// The order of the open list: which node is next, and why.

import { Growth } from "./growth.js";

const BEST_FIRST = ["breadth-first", "a*", "weighted-a*", "greedy", "branch-and-bound"];
const DEPTH_FIRST = ["depth-first", "iterative-deepening", "ida*"];

/** The rules by which an algorithm may order its open list; none where its next node is not promised. */
export function rulesOf({ name, ties }) {
    if (DEPTH_FIRST.includes(name)) return ["stack"];
    if (!BEST_FIRST.includes(name)) return [];
    return ties ? [ties, "larger-g", "lifo", "fifo"] : ["fifo"];
}

/** What the search compares first: its name and its value. */
function priority(node, { name, f }) {
    if (name === "branch-and-bound") return ["h", node.h];
    return [f.startsWith("g +") ? "f" : f, node.f];
}

/** The open nodes of a Growth, the next one first. */
export function openList(growth, rule) {
    const { algorithm } = growth;
    const keyOf = (node) => {
        const [compared, value] = priority(node, algorithm);
        if (rule === "stack") return [-node.made, node.index];
        if (rule === "fifo") return [value, compared === "h" ? (node.replaces ?? node.index) : node.index];
        return [value, rule === "larger-g" ? node.h : 0, -node.index];
    };
    const keyed = growth.open().map((node) => ({ node, key: keyOf(node) }));
    const compare = (first, second) => first.map((part, at) => part - second[at]).find((difference) => difference) ?? 0;
    return keyed.sort((first, second) => compare(first.key, second.key)).map(({ node }) => node);
}

/** What comes next: { node, why }; { bound, why } where an iteration begins; { why } where the search ends. */
export function nextOf(growth, rule) {
    const { algorithm, best, last, nodes, bound } = growth;
    if (best && algorithm.name !== "branch-and-bound") return { why: "The search has found the goal." };
    const list = openList(growth, rule);
    if (list.length) return { node: list[0], why: reasonOf(list, growth, rule) };
    if (best) return { why: "No open node can lead to a shorter solution: this one is proved to be shortest." };
    const cut = Math.min(...nodes.filter(({ fate }) => fate === "cut").map(({ f }) => f));
    if (cut === Infinity || algorithm.name === "depth-first") return { why: "No node is open: there is no solution." };
    const least = `the least ${algorithm.f === "g" ? "depth" : "f"} that was cut off: ${cut}`;
    return { bound: cut, why: `No node is open within the bound ${bound}. A new iteration begins with ${least}.` };
}

function reasonOf(list, { algorithm, step }, rule) {
    const [node] = list;
    if (step === 0) return "It is the root.";
    if (list.length === 1) return "It is the only open node.";
    if (rule === "stack") {
        if (node.made === step) return "It is the first open child of the node just expanded.";
        return `The node just expanded has no open child: the search goes back to depth ${node.g}.`;
    }
    const [compared, value] = priority(node, algorithm);
    const equal = list.filter((other) => priority(other, algorithm)[1] === value);
    if (equal.length === 1) return `It has the least ${compared}: ${value}.`;
    const of = `Of ${equal.length} nodes with the least ${compared} = ${value}, it`;
    if (rule !== "larger-g") return `${of} was made ${rule === "fifo" ? "first" : "last"}.`;
    const same = equal.filter(({ h }) => h === node.h);
    if (same.length === equal.length) return `${of} was made last.`;
    const wins = algorithm.f === "g + h" && compared === "f" ? `the largest g = ${node.g}` : `the least h = ${node.h}`;
    return same.length === 1 ? `${of} has ${wins}.` : `${of} is the one made last of ${same.length} with ${wins}.`;
}

/** The first of the algorithm's rules by which each expansion follows from those before; null if none does. */
export function ruleOf(expansions, algorithm) {
    const follows = (rule) => {
        const growth = new Growth(expansions, 0, algorithm);
        return expansions.every(({ board, g, bound }) => {
            const next = nextOf(growth, rule);
            growth.advance();
            return next.node ? next.node.board === board && next.node.g === g : next.bound === bound;
        });
    };
    return rulesOf(algorithm).find(follows) ?? null;
}
