// The trees of a search as SVG. Only what is in sight is drawn; the whole is drawn for a file.

import { counted } from "../core/board.js";
import { element, svgElement } from "../play/drawing.js";
import { formula, stateOf } from "./growth.js";
import { placed } from "./layout.js";

const LINE = 13; // of labels
const GAP = 12; // between neighbours
const DROP = 30; // from the labels of a parent to its children
const LETTER = 6.2; // of a label
const MARGIN = 22;
const LONGEST = { g: 7, h: 7, "g + h": 12, "g + weight h": 14 }; // letters of a label
const SMALL = 0.4; // trees that are drawn smaller have boards without numbers

/** The style of a tree; its colours are those of the page, or given. */
const STYLE = `
.tree text { font: 11px system-ui, sans-serif; text-anchor: middle; fill: var(--text); }
.tree .digits { font-size: 10px; font-weight: 600; } .tree .letter { font-weight: 600; }
.tree .tray { fill: var(--tray); } .tree .squares { fill: var(--page); } .tree .closed .squares { fill: var(--soft); }
.tree .edge, .tree .frame { fill: none; stroke: var(--line); stroke-width: 1.2; }
.tree .open .frame { stroke: var(--accent); stroke-width: 2.4; }
.tree .known .frame, .tree .replaced .frame { stroke-dasharray: 4 3; }
.tree .cut .frame, .tree .dropped .frame { stroke: none; }
.tree :is(.known, .replaced, .cut, .dropped) .small { opacity: 0.5; }
.tree .now .frame, .tree .way .frame, .tree .edge.way { stroke: var(--text); stroke-width: 3.6; }
.tree .goal .frame { stroke-width: 2; }
.tree .next .frame { stroke: var(--accent); stroke-width: 5; }
.tree .badge rect { fill: var(--muted); } .tree .next .badge rect { fill: var(--accent); }
.tree .badge text { fill: var(--page); font-weight: 700; } .tree .remark { font-style: italic; }
.tree.far :is(.frame, .edge) { stroke-width: 8; } .tree.far .open .squares { fill: var(--accent); }`;

document.head.append(element("style", {}, STYLE));

/** The size and the parts of a small board. */
function smallBoard(text) {
    const rows = text.split("/").map((row) => row.split(" "));
    const cell = rows.length * rows[0].length > 10 ? 17 : 15;
    const tiles = rows.flatMap((row, y) => row.map((tile, x) => [tile, 2 + x * cell, 2 + y * cell]));
    const [width, height] = [rows[0].length * cell + 4, rows.length * cell + 4];
    const faces = tiles.filter(([tile]) => tile !== "0");
    const face = faces.map(([, x, y]) => `M${x + 0.5} ${y + 0.5}h${cell - 1}v${cell - 1}h${1 - cell}z`).join("");
    const numbers = faces.map(([tile, x, y]) => svgElement("tspan", { x: x + cell / 2, y: y + cell / 2 + 3.6 }, tile));
    const parts = [
        rectangle("tray", 0, 0, width, height, 3),
        svgElement("path", { class: "squares", d: face }),
        svgElement("text", { class: "digits" }, ...numbers),
    ];
    return { width, height, parts };
}

/** A board as a picture by itself. */
export function boardPicture(text) {
    const { width, height, parts } = smallBoard(text);
    const box = `0 0 ${width} ${height}`;
    return svgElement("svg", { class: "tree", viewBox: box, width: 0.75 * width, "aria-hidden": "true" }, ...parts);
}

/** What stands below the numbers of a node that is neither open nor closed, or whose path is a shorter one. */
function noteOf(node, { f }) {
    const state = stateOf(node);
    if (state === "cut") return `${f === "g" ? "g" : "f"} = ${f === "g" ? node.g : node.g + node.h} > ${node.bound}`;
    if (["known", "dropped", "replaced"].includes(state)) return state;
    if (node.turns.length > 1) return `again: ${node.turns.slice(1, 4).join(", ")}`;
    return node.fate === "reopened" ? "shorter path" : "";
}

/** Trees in an element that scrolls. */
export class TreePicture {
    #drawn = new Set();

    /** `pick(node)` is called when a node is clicked. */
    constructor(root, pick) {
        this.root = root;
        this.pick = pick;
        root.addEventListener("scroll", () => this.growth && this.#draw());
        new ResizeObserver(() => this.growth && this.show(this.growth, this.options)).observe(root);
    }

    /** Show what has grown; `next` is the node to be marked as next, and `whole` fits the tree into the element. */
    show(growth, options) {
        const { nodes, algorithm } = Object.assign(this, { growth, options }).growth;
        const { width, height } = smallBoard(nodes[0].board);
        const column = Math.max(width, LETTER * LONGEST[algorithm.f]) + GAP;
        const level = height + 2 * LINE + DROP;
        this.size = { width, height };
        this.places = placed(nodes).map(({ x, depth }) => [MARGIN + x * column + column / 2, MARGIN + depth * level]);
        const [right, low] = [0, 1].map((axis) => Math.max(...this.places.map((place) => place[axis])));
        const [wide, high] = [right + column / 2 + MARGIN, low + level];
        const { clientWidth, clientHeight } = this.root; // 0 while another view is shown
        this.scale = options.whole ? Math.min(1, clientWidth / wide, clientHeight / high) : 1;
        this.svg = svgElement("svg", {
            ...{ class: this.scale < SMALL ? "tree far" : "tree", viewBox: `0 0 ${wide} ${high}` },
            ...{ width: wide * this.scale, height: high * this.scale },
            ...{ role: "img", "aria-label": `Tree of ${counted(nodes.length, "node")}, ${counted(growth.step, "expansion")}` },
        });
        this.layers = ["edges", "nodes"].map((name) => svgElement("g", { class: name }));
        this.svg.append(...this.layers);
        this.#drawn.clear();
        this.root.replaceChildren(this.svg);
        this.look(growth.last ?? nodes[0]);
        this.#draw();
    }

    /** Scroll to a node and its children, unless they are in sight. */
    look(node) {
        const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
        const { width, height } = this.size;
        const family = [node.index, ...node.children].map((index) => this.places[index].map((at) => at * this.scale));
        const [xs, ys] = [0, 1].map((axis) => family.map((place) => place[axis]));
        const [left, right] = [Math.min(...xs) - width, Math.max(...xs) + width];
        const [top, below] = [ys[0] - MARGIN, Math.max(...ys) + height + 2 * LINE + MARGIN];
        const middle = right - left < clientWidth ? (left + right) / 2 : xs[0];
        if (left < scrollLeft || right > scrollLeft + clientWidth) this.root.scrollLeft = middle - clientWidth / 2;
        if (top < scrollTop || below > scrollTop + clientHeight)
            this.root.scrollTop = Math.min(top, (top + below - clientHeight) / 2);
    }

    /** Draw what is in sight, or `all`, and has not been drawn yet. */
    #draw(all = this.scale < 1) {
        const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.root;
        const inside = (at, scroll, size) => all || Math.abs(at - scroll - size / 2) < size;
        const near = ([x, y]) => inside(x, scrollLeft, clientWidth) && inside(y, scrollTop, clientHeight);
        const [edges, nodes] = this.layers;
        for (const node of this.growth.nodes) {
            const place = this.places[node.index];
            if (this.#drawn.has(node.index) || !(near(place) || near(this.places[node.parent] ?? place))) continue;
            this.#drawn.add(node.index);
            if (node.parent !== null) edges.append(...this.#edge(node, place, this.places[node.parent]));
            nodes.append(this.#node(node, place));
        }
    }

    #edge({ index, parent, move }, [x, y], [fromX, fromY]) {
        const { nodes, algorithm } = this.growth;
        const from = fromY + this.size.height + 5 + LINE * (noteOf(nodes[parent], algorithm) ? 2 : 1);
        const half = (from + y) / 2;
        const way = this.growth.path.has(index) && this.growth.path.has(parent) ? " way" : "";
        return [
            svgElement("path", { class: `edge${way}`, d: `M${fromX} ${from}C${fromX} ${half} ${x} ${half} ${x} ${y}` }),
            svgElement("text", { class: "letter", x: x + (x < fromX ? -8 : 8), y: y - 7 }, move),
        ];
    }

    #node(node, [x, y]) {
        const { growth, options, scale } = this;
        const { width, height } = this.size;
        const marks = { now: node === growth.last, next: node === options.next, way: growth.path.has(node.index) };
        const classes = ["node", stateOf(node), ...Object.keys(marks).filter((mark) => marks[mark])];
        const made = svgElement("g", { class: classes.join(" "), transform: `translate(${x - width / 2} ${y})` });
        made.addEventListener("click", () => this.pick(node));
        const small = scale < SMALL;
        const frame = (by) => rectangle("frame", -by, -by, width + 2 * by, height + 2 * by, by + 3);
        const parts = small ? [rectangle("squares", 0, 0, width, height, 0)] : smallBoard(node.board).parts;
        made.append(svgElement("g", { class: "small" }, ...parts), frame(1));
        if (node.goal) made.append(frame(4));
        if (small) return made;
        const words = [formula(node, growth.algorithm), noteOf(node, growth.algorithm)];
        for (const [at, text] of words.entries()) {
            const place = { x: width / 2, y: height + LINE * (at + 1) + 1 };
            made.append(svgElement("text", { class: at ? "remark" : "label", ...place }, text));
        }
        if (node.turns.length || marks.next) made.append(badge(node.turns[0] ?? "next"));
        return made;
    }

    /** The picture as a file: everything in full size, with the colours of the moment. */
    toFile() {
        const all = new TreePicture(document.createElement("div"), () => {});
        all.show(this.growth, { ...this.options, whole: false });
        all.#draw(true);
        const resolved = (_, name) => {
            this.svg.style.color = `var(${name})`;
            return getComputedStyle(this.svg).color;
        };
        all.svg.prepend(svgElement("style", {}, STYLE.replace(/var\((--\w+)\)/g, resolved)));
        all.svg.style.background = resolved("", "--page");
        return new XMLSerializer().serializeToString(all.svg);
    }
}

/** The number of an expansion, above a board. */
function badge(number) {
    const width = 7 + 6.5 * `${number}`.length;
    const text = svgElement("text", { x: 9 - width / 2, y: -4 }, number);
    return svgElement("g", { class: "badge" }, rectangle("", 9 - width, -15, width, 14, 5), text);
}

function rectangle(name, x, y, width, height, rx) {
    return svgElement("rect", { class: name, x, y, width, height, rx });
}
