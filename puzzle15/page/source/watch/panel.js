// One search that is watched: which one, its trees and its open list.

import { data, searcher } from "../core/answers.js";
import { contentOf } from "../core/engine.js";
import { element } from "../play/drawing.js";
import { Growth, formula, stateOf } from "./growth.js";
import { nextOf, openList, ruleOf, rulesOf } from "./open_list.js";
import { TreePicture, boardPicture } from "./tree.js";

const MOST = 1000; // expansions
const SECONDS = 10;
const SHOWN = 10; // of the open list
const USUAL = { algorithm: "a*", heuristic: "manhattan" };

/** A search that Python has put into this page: { fragment, board, goal, title, says, name, f, expansions }; or null. */
export const record = JSON.parse(contentOf("start") || "null");
const RECORDED = "recorded";

const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export class Panel {
    expansions = [];
    #selects = {};
    #stop = null;

    /** `changed()` is called when somebody has chosen another search. */
    constructor(title, changed) {
        const names = data.algorithms.map(({ name }) => [name, name]);
        const fields = [
            this.#choice("algorithm", record ? [[record.title, RECORDED], ...names] : names, changed),
            this.#choice("heuristic", data.heuristics.map((name) => [name, name]), changed),
            this.#choice("ties", Object.keys(data.ties).map((name) => [name, name]), changed),
        ];
        const save = element("button", { type: "button", class: "quiet", "aria-label": "Save as SVG" }, "SVG");
        this.said = element("div", { class: "said", "aria-live": "polite" });
        this.trees = element("div", { class: "trees", tabindex: 0, role: "group", "aria-label": `Tree of the ${title}` });
        this.list = element("div", { class: "open-list" });
        this.root = element("section", { "aria-label": title });
        const choice = element("div", { class: "choice" }, ...fields, save);
        this.root.append(element("div", { class: "panel search" }, choice, this.said, this.trees, this.list));
        this.picture = new TreePicture(this.trees, (node) => this.#pick(node));
        save.addEventListener("click", () => this.#save());
    }

    #choice(name, offers, changed) {
        const select = element("select", { class: name }, ...offers.map(([text, value]) => new Option(text, value)));
        this.#selects[name] = select;
        select.addEventListener("change", () => {
            this.#offer();
            changed();
        });
        return element("label", { class: "field" }, element("span", {}, name[0].toUpperCase() + name.slice(1)), select);
    }

    /** Choose what an address says; what it does not say is as usual. */
    choose(asked) {
        for (const [name, select] of Object.entries(this.#selects)) {
            select.value = asked[name] ?? USUAL[name];
            if (!select.value) select.value = USUAL[name] ?? "";
        }
        this.#offer(asked.ties);
    }

    /** Offer what the algorithm takes. */
    #offer(ties = this.row.ties) {
        const { heuristic, ties: select } = this.#selects;
        heuristic.parentElement.hidden = this.recorded || !this.row.f.includes("h");
        select.parentElement.hidden = this.recorded || !this.row.ties;
        select.value = ties;
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
        const shown = Object.entries(this.#selects).filter(([, select]) => !select.parentElement.hidden);
        const usual = { heuristic: USUAL.heuristic, ties: this.row.ties };
        return Object.fromEntries(shown.map(([name, { value }]) => [name, value]).filter(([name, value]) => value !== usual[name]));
    }

    /** Search, and keep the first expansions. */
    async load(board, goal) {
        this.#stop?.abort();
        this.#stop = new AbortController();
        const { algorithm, heuristic, ties } = this.chosen;
        if (this.recorded && (`${board}` !== record.board || `${goal}` !== record.goal)) this.choose({});
        if (this.recorded) {
            Object.assign(this, { expansions: record.expansions, algorithm: this.row, end: record.says });
            this.rule = ruleOf(this.expansions, this.row);
            return;
        }
        const row = { ...this.row, ...(this.row.ties ? { ties: ties ?? this.row.ties } : {}) };
        const question = {
            ...{ kind: "search", board: `${board}`, goal: `${goal}`, algorithm: row.name, watch: MOST, seconds: SECONDS },
            heuristics: row.f.includes("h") ? [heuristic ?? USUAL.heuristic] : [],
            options: row.ties ? { ties: row.ties } : {},
        };
        const answer = await searcher.ask(question, { signal: this.#stop.signal });
        Object.assign(this, { expansions: answer.expansions, algorithm: row, rule: rulesOf(row)[0] ?? null });
        this.end = endOf(answer);
    }

    /** Show what is known after so many expansions; in a `quiz`, what is next is not told before the answer. */
    show(step, { quiz, whole }) {
        const at = Math.min(step, this.expansions.length);
        const growth = new Growth(this.expansions, at, this.algorithm);
        const next = this.rule ? nextOf(growth, this.rule) : {};
        Object.assign(this, { growth, next, asks: quiz && Boolean(next.node), whole });
        const done = at ? `${at}. ${growth.last.goal ? "The goal" : "Expanded"}: ${this.#formula(growth.last)}. ${this.#children()}` : "";
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
        const closed = growth.nodes.filter((node) => stateOf(node) === "closed").length;
        const title = !rule ? "Open" : asks ? "Open, as made" : "Open list, in order";
        const entries = (rule ? open : []).slice(0, SHOWN).map((node) => {
            const label = `${this.#formula(node)}, board ${node.board}`;
            const entry = element("button", { type: "button", class: "entry", "aria-label": label });
            entry.append(boardPicture(node.board), this.#formula(node));
            entry.addEventListener("click", () => this.#pick(node));
            return element("li", {}, entry);
        });
        const more = rule && open.length > entries.length ? `and ${open.length - entries.length} more; ` : "";
        this.list.replaceChildren(
            element("h3", {}, `${title}: ${open.length}`),
            element("ol", {}, ...entries),
            element("p", { class: "note" }, `${more}${closed} closed. ${this.#bounds()}`),
        );
    }

    /** The iterations and their bounds. */
    #bounds() {
        const { iterations, bound } = this.growth;
        const texts = iterations.map(({ bound, expanded }) => `bound ${bound}: ${expanded} expanded`);
        if (iterations.length > 1 || iterations[0].bound !== null)
            return `Iteration ${iterations.length}, ${texts.at(-1)}. ${texts.length > 1 ? `Before: ${texts.slice(-4, -1).join("; ")}.` : ""}`;
        return bound === null || bound === undefined ? "" : `Bound: ${bound}.`;
    }

    /** Somebody has pressed a node: an answer, or a wish to see it. */
    #pick(node) {
        if (!this.asks) return this.picture.look(node);
        const right = node === this.next.node;
        const wrong = stateOf(node) === "open" ? "No" : "No, that node is not open";
        this.asks = false;
        this.#say(right ? `Right. ${this.next.why}` : `${wrong}. ${this.#coming()}`);
        this.#draw();
    }

    #save() {
        const file = new Blob([this.picture.toFile()], { type: "image/svg+xml" });
        const link = element("a", { href: URL.createObjectURL(file), download: `${this.algorithm.name}-${this.growth.step}.svg` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href));
    }
}

/** How a search ended, in a sentence. */
function endOf({ state, length, optimal, expanded }) {
    if (state === "running") return `The search goes on; these are its first ${MOST} expansions.`;
    const found = state === "solved" ? `: ${counted(length, "move")}` : " without a solution";
    return `The search has ended${found} after ${counted(expanded, "expansion")}${optimal ? "; no solution is shorter" : ""}.`;
}
