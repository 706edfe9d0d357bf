// What is known of a search after some of its expansions. Later expansions are never read, so nothing of them can show.

const KEEPS_BEST_OF_LEVEL = ["beam", "beam-stack"]; // they drop children when all of the level are made
const IMPROVES = ["branch-and-bound", "anytime-a*", "ara*"]; // they go on after a solution, for a shorter one

/** f, as a row of the registry says what the algorithm compares. */
function valueOf({ f, weight = 2 }, g, h) {
    return { g, h, "g + h": g + h, "g + weight h": g + weight * h }[f];
}

/** A node is found again by its id; without one, its board and g identify it. */
const keyOf = ({ id, board, side }, g) => id || `${side} ${g} ${board}`;

const rounded = (value) => Math.round(100 * value) / 100;

/** How f is made up, such as "3 + 2·7 = 17". */
export function formula({ g, h, f }, { f: compared }) {
    if (compared === "g") return `g = ${g}`;
    if (compared === "h") return `h = ${h}`;
    const weight = compared === "g + h" || !h ? "" : `${rounded((f - g) / h)}·`;
    return `${g} + ${weight}${h} = ${rounded(f)}`;
}

/**
 * The trees of a search. A node is { board, side, index, parent, children, move, g, h, f, fate, made, turns, goal }:
 * `fate` is that of a child in the trace, or "replaced"; `made` and `turns` are numbers of expansions, and `parent` an
 * index. `nodes` are those of the present iteration; `path` are the indices of those on the best solution so far.
 */
export class Growth {
    nodes = [];
    iterations = []; // { bound, expanded }
    path = new Set();
    best = null; // the node of the best solution so far
    last = null; // the node of the last expansion
    step = 0;
    #expansions;
    #made = new Map(); // nodes by their keys
    #waiting = new Map(); // open nodes by their boards
    #undecided = []; // children of this level that the search will drop

    /** After the first `step` of the expansions of an algorithm, a row of the registry. */
    constructor(expansions, step, algorithm) {
        this.algorithm = algorithm;
        this.#expansions = expansions;
        this.#begin(expansions[0]);
        while (this.step < step) this.advance();
    }

    /** Begin a tree, of another iteration or of the other side. */
    #begin(expansion) {
        const { iteration, bound } = expansion;
        if (iteration !== this.iteration) {
            this.nodes = [];
            for (const map of [this.#made, this.#waiting]) map.clear();
            this.iteration = iteration;
            this.iterations.push({ bound, expanded: 0 });
        }
        return this.#add({ ...expansion, move: "", fate: "open" }, null, expansion);
    }

    /** Expand the next node. */
    advance() {
        const expansion = this.#expansions[this.step++];
        const { g, side, board, bound, goal, children } = expansion;
        if (this.#undecided[0]?.made.g !== g) this.#decide();
        const again = expansion.iteration !== this.iteration && g === 0;
        const node = (again ? null : this.#made.get(keyOf(expansion, g))) ?? this.#begin(expansion);
        this.#waiting.delete(`${side} ${board}`);
        node.turns.push(this.step);
        Object.assign(this, { last: node, bound });
        node.goal = goal;
        if (goal) this.#solve(node);
        else this.iterations.at(-1).expanded++;
        for (const child of children) this.#add(child, node, expansion);
    }

    #add({ board, move, h, fate, id, f }, parent, { side, g: parentG, bound }) {
        const { nodes, algorithm, step: made } = this;
        const g = parent ? parentG + 1 : parentG;
        const old = parent?.children.find((child) => nodes[child].board === board); // made again by rbfs or sma*
        const index = old ?? nodes.length;
        nodes[index] ??= { board, side, index, parent: parent?.index ?? null, children: [], turns: [], move, g, made };
        const node = Object.assign(nodes[index], { h, fate, f: f ?? valueOf(algorithm, g, h), bound });
        if (old === undefined) parent?.children.push(index);
        if (fate === "dropped" && KEEPS_BEST_OF_LEVEL.includes(algorithm.name)) {
            node.fate = "open";
            this.#undecided.push({ node, made: parent });
        }
        if (["open", "reopened"].includes(fate)) this.#wait(node, keyOf({ id, board, side }, g));
        return node;
    }

    /** A node is open. Where it is a shorter path to its board, the node that waits for that board is not any more. */
    #wait(node, key) {
        const place = `${node.side} ${node.board}`;
        const replaced = this.#waiting.get(place);
        if (node.fate === "reopened" && replaced && replaced !== node) {
            node.replaces = replaced.replaces ?? replaced.index;
            replaced.fate = "replaced";
        }
        this.#made.set(key, node);
        this.#waiting.set(place, node);
    }

    #decide() {
        for (const { node } of this.#undecided) if (!node.turns.length) node.fate = "dropped";
        this.#undecided = [];
    }

    #solve(goal) {
        this.best = goal;
        const other = this.nodes.filter(({ side, board }) => side !== goal.side && board === goal.board);
        this.path = new Set();
        for (const end of [goal, ...other.slice(-1)])
            for (let node = end; node; node = this.nodes[node.parent]) this.path.add(node.index);
        if (!IMPROVES.includes(this.algorithm.name)) return;
        for (const node of this.open())
            if (node.g + node.h >= goal.g) Object.assign(node, { fate: "cut", bound: goal.g - 1 });
    }

    /** The nodes that wait for their turn, in the order in which they were made. */
    open() {
        return this.nodes.filter((node) => stateOf(node) === "open");
    }
}

/** What a node is now: "goal", "closed", "open", or why it is none of these: "known", "cut", "dropped", "replaced". */
export function stateOf({ goal, turns, fate }) {
    if (goal) return "goal";
    if (turns.length) return "closed";
    return fate === "reopened" ? "open" : fate;
}
