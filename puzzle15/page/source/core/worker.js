// The worker behind the page: it answers questions one after another, in pieces, and looks at its messages between them.
//
//     the page sends     { id, kind, ...question }    see JOBS            { cancel: id }
//     and gets           { id, progress }, then one of { id, answer }, { id, error: { name, message } }

import { Board } from "./board.js";
import { Core, CoreError } from "./core.js";
import { scramble } from "./scrambling.js";
import { search } from "./searching.js";

const PIECE = 20; // milliseconds between two looks at the messages
const PROGRESS = 100; // milliseconds between two reports

const boardOf = (text) => Board.parse(text);

/** What the page can ask for: generators, whose yields are progress. */
const JOBS = {
    solve: (core, { board, goal }) => core.session(boardOf(goal)).solve(boardOf(board)),
    hint: (core, { board, goal }) => core.session(boardOf(goal)).hint(boardOf(board)),
    analyse: (core, { board, goal, moves }) => core.session(boardOf(goal)).analyse(boardOf(board), moves),
    scramble,
    solutions: (core, { board, goal, most }) => core.session(boardOf(goal)).solutions(boardOf(board), most),
    search,
};

let load = null; // gives a promise of a new core
let give = null;
let core = new Promise((resolve) => (give = resolve)); // questions may come before the core does
const cancelled = new Set();
let answered = Promise.resolve(); // when all questions so far are

const turn = new MessageChannel();
const nextTurn = () => new Promise((resolve) => ((turn.port1.onmessage = resolve), turn.port2.postMessage(0)));

async function answer({ id, kind, seconds = Infinity, ...question }) {
    const job = JOBS[kind](await core, question);
    const begun = performance.now();
    let reported = begun;
    let piece = begun;
    for (;;) {
        const { done, value } = job.next();
        if (done) return postMessage({ id, answer: value });
        const now = performance.now();
        if (now - reported > PROGRESS) {
            postMessage({ id, progress: value });
            reported = now;
        }
        if (now - piece < PIECE) continue;
        await nextTurn();
        piece = performance.now();
        const reason = cancelled.has(id) ? "cancelled" : piece - begun > 1000 * seconds ? "time" : null;
        if (!reason) continue;
        job.return();
        return postMessage({ id, error: { name: reason, message: reason, progress: value } });
    }
}

async function work(question) {
    const { id } = question;
    try {
        if (!cancelled.has(id)) await answer(question);
        else postMessage({ id, error: { name: "cancelled", message: "cancelled" } });
    } catch (error) {
        const { name, message } = error;
        if (!(error instanceof CoreError || error instanceof RangeError)) core = load(); // that one cannot go on
        postMessage({ id, error: { name, message } });
    }
    cancelled.delete(id);
}

/** The bytes of the core, from text: base64 of gzip. */
async function unpacked(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

onmessage = ({ data }) => {
    if (data.core) {
        const bytes = unpacked(data.core);
        load = async () => Core.load(await bytes, data.data);
        give(load());
    } else if (data.cancel !== undefined) cancelled.add(data.cancel);
    else answered = answered.then(() => work(data));
};
