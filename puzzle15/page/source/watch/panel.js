// One search that is watched: which one, its trees and its open list.

import { contentOf, data, searcher } from "../core/answers.js";
import { counted } from "../core/board.js";
import { element } from "../play/drawing.js";
import { Growth, formula, stateOf } from "./growth.js";
import { nextOf, openList, ruleOf, rulesOf } from "./open_list.js";
import { TreePicture, boardPicture } from "./tree.js";

const MOST = 1000; // expansions
const SECONDS = 10;
const SHOWN = 10; // of the open list
const USUAL = { algorithm: "a*", heuristic: "manhattan" };

/** A search that Python has put into this page (puzzle15/page/_recording.py), or null. */
export const record = JSON.parse(contentOf("start") || "null");
const RECORDED = "recorded";

export class Panel {
    expansions = [];
    #selects = {};
    #stop = null;

    /** `changed()` is called when somebody has chosen another search. */
    constructor(title, changed) {
        const algorithms = data.algorithms.map(({ name }) => [name]);
        if (record) algorithms.unshift([record.title, RECORDED]);
        const save = element("button", { type: "button", class: "quiet", "aria-label": "Save as SVG" }, "SVG");
        const choice = element("div", { class: "choice" },
            this.#choice("Algorithm", algorithms, changed),
            this.#choice("Heuristic", data.heuristics.map((name) => [name]), changed),
            this.#choice("Ties", Object.keys(data.ties).map((name) => [name]), changed), save);
        this.said = element("div", { class: "said", "aria-live": "polite" });
        const label = `Tree of the ${title}`;
        this.trees = element("div", { class: "trees", tabindex: 0, role: "group", "aria-label": label });
        this.list = element("div", { class: "open-list" });
        const panel = element("div", { class: "panel search" }, choice, this.said, this.trees, this.list);
        this.root = element("section", { "aria-label": title }, panel);
        this.picture = new TreePicture(this.trees, (node) => this.#pick(node));
        save.addEventListener("click", () => this.#save());
    }

    #choice(title, offers, changed) {
        const select = element("select", {}, ...offers.map((offer) => new Option(...offer)));
        this.#selects[title.toLowerCase()] = select;
        select.addEventListener("change", () => {
            if (title === "Algorithm") this.choose({ ...this.chosen, ties: undefined });
            changed();
        });
        return element("label", { class: "field" }, element("span", {}, title), select);
    }

    /** Choose what an address says; what it does not say, or says wrongly, is as usual. */
    choose(asked) {
        for (const [name, select] of Object.entries(this.#selects)) {
            select.value = asked[name] ?? "";
            if (!select.value && name in USUAL) select.value = USUAL[name];
        }
        this.#offer();
    }

    /** Offer what the algorithm takes. */
    #offer() {
        const { heuristic, ties } = this.#selects;
        heuristic.parentElement.hidden = this.recorded || !this.row.f.includes("h");
        ties.parentElement.hidden = this.recorded || !this.row.ties;
        if (!ties.value) ties.value = this.row.ties ?? "";
    }

    get recorded() {
        return this.#selects.algorithm.value === RECORDED;
    }

    /** The algorithm, as a row of the registry. */
    get row() {
        const named = (wanted) => data.algorithms.find(({ name }) => name === wanted);
        if (this.recorded) return { ...named(record.name), name: record.name, f: record.f };
        return named(this.#selects.algorithm.value);
    }

    /** What is chosen, as texts for an address. */
    get chosen() {
        const { heuristic } = USUAL;
        const usual = { heuristic, ties: this.row.ties };
        const shown = Object.entries(this.#selects).filter(([, select]) => !select.parentElement.hidden);
        const texts = shown.map(([name, { value }]) => [name, value]);
        return Object.fromEntries(texts.filter(([name, value]) => value !== usual[name]));
    }

    /** Search, and keep the first expansions. */
    async load(board, goal) {
        this.#stop?.abort();
        this.#stop = new AbortController();
        if (this.recorded && (`${board}` !== record.board || `${goal}` !== record.goal)) this.choose({});
        const { row: algorithm, recorded } = this;
        if (recorded) {
            const { expansions, says: end } = record;
            return Object.assign(this, { algorithm, expansions, end, rule: ruleOf(expansions, algorithm) });
        }
        const { heuristic = USUAL.heuristic, ties = algorithm.ties } = this.chosen;
        const question = {
            ...{ kind: "search", board: `${board}`, goal: `${goal}`, algorithm: algorithm.name },
            ...{ heuristics: [heuristic], options: { ties }, watch: MOST, seconds: SECONDS },
        };
        const answer = await searcher.ask(question, { signal: this.#stop.signal });
        const [rule] = rulesOf({ ...algorithm, ties });
        return Object.assign(this, { algorithm, expansions: answer.expansions, end: endOf(answer), rule });
    }

    /** Show what is known after so many expansions; in a `quiz`, what is next is not told before the answer. */
    show(step, { quiz, whole }) {
        const at = Math.min(step, this.expansions.length);
        const growth = new Growth(this.expansions, at, this.algorithm);
        const next = this.rule ? nextOf(growth, this.rule) : {};
        Object.assign(this, { growth, next, asks: quiz && Boolean(next.node), whole });
        const what = growth.last?.goal ? "The goal" : "Expanded";
        const done = at ? `${at}. ${what}: ${this.#formula(growth.last)}. ${this.#children()}` : "";
        const ended = at === this.expansions.length ? this.end : "";
        const coming = this.asks ? "Which node is next? Choose it in the tree or in the list." : this.#coming();
        this.#say(done, ended && !next.node ? "" : coming, ended);
        this.#draw();
    }

    #formula(node) {
        return formula(node, this.algorithm);
    }

    /** What became of the children of the last expansion. */
    #children() {
        const states = this.growth.last.children.map((index) => stateOf(this.growth.nodes[index]));
        const texts = [...new Set(states)].map((state) => `${states.filter((each) => each === state).length} ${state}`);
        return texts.length ? `Children: ${texts.join(", ")}.` : "";
    }

    #coming() {
        const { node, why = "" } = this.next;
        return node ? `Next: ${this.#formula(node)}. ${why}` : why;
    }

    #say(...sentences) {
        this.said.replaceChildren(...sentences.filter(Boolean).map((sentence) => element("p", {}, sentence)));
    }

    #draw() {
        const { growth, rule, asks, whole, next } = this;
        this.picture.show(growth, { next: asks ? null : next.node, whole });
        const open = rule && !asks ? openList(growth, rule) : growth.open();
        const shown = rule ? open.slice(0, SHOWN) : [];
        const entries = shown.map((node) => {
            const label = `${this.#formula(node)}, board ${node.board}`;
            const entry = element("button", { type: "button", class: "entry", "aria-label": label });
            entry.append(boardPicture(node.board), this.#formula(node));
            entry.addEventListener("click", () => this.#pick(node));
            return element("li", {}, entry);
        });
        const title = !rule ? "Open" : asks ? "Open, as made" : "Open list, in order";
        const more = rule && open.length > SHOWN ? `and ${open.length - SHOWN} more; ` : "";
        const closed = growth.nodes.filter((node) => stateOf(node) === "closed").length;
        this.list.replaceChildren(
            element("h3", {}, `${title}: ${open.length}`),
            element("ol", {}, ...entries),
            element("p", { class: "note" }, `${more}${closed} closed. ${this.#bounds()}`),
        );
    }

    /** The iterations and their bounds. */
    #bounds() {
        const { iterations, bound } = this.growth;
        const texts = iterations.map((each) => `bound ${each.bound}: ${each.expanded} expanded`);
        const before = texts.length > 1 ? ` Before: ${texts.slice(-4, -1).join("; ")}.` : "";
        if (iterations[0].bound !== null) return `Iteration ${texts.length}, ${texts.at(-1)}.${before}`;
        return Number.isInteger(bound) ? `Bound: ${bound}.` : "";
    }

    /** Somebody has pressed a node: an answer, or a wish to see it. */
    #pick(node) {
        if (!this.asks) return this.picture.look(node);
        const wrong = stateOf(node) === "open" ? "No" : "No, that node is not open";
        this.#say(node === this.next.node ? `Right. ${this.next.why}` : `${wrong}. ${this.#coming()}`);
        this.asks = false;
        this.#draw();
    }

    #save() {
        const href = URL.createObjectURL(new Blob([this.picture.toFile()], { type: "image/svg+xml" }));
        element("a", { href, download: `${this.algorithm.name}-${this.growth.step}.svg` }).click();
        setTimeout(() => URL.revokeObjectURL(href));
    }
}

/** How a search ended, in a sentence. */
function endOf({ state, length, optimal, expanded }) {
    if (state === "running") return `The search goes on; these are its first ${MOST} expansions.`;
    const found = state === "solved" ? `: ${counted(length, "move")}` : " without a solution";
    const shortest = optimal ? "; no solution is shorter" : "";
    return `The search has ended${found} after ${counted(expanded, "expansion")}${shortest}.`;
}
