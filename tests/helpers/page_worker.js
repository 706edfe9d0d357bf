// Runs the worker of the page under node. It reads { worker, core, data, questions } as JSON from standard input, asks one
// question after the other, and prints the answers as JSON: the message of the worker, with all progress.
//
// A question may say `cancel: N`: it is cancelled after N milliseconds; `beside: [questions]`: these are asked at once,
// too, and their answers follow; `trap: true`: the core ends when it next runs; `starve: true`: it gets no more memory.
const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const waiting = new Map();
let trapped = false;
let memory = null;

globalThis.postMessage = ({ id, progress, ...message }) => {
    if (progress) waiting.get(id).progress.push(progress);
    else waiting.get(id).resolve({ ...message, progress: waiting.get(id).progress });
};
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...of) => {
    const made = await instantiate(...of);
    if (!made.instance?.exports.p15_session_run) return made; // another module, of node itself
    const { instance } = made;
    const exports = { ...instance.exports };
    memory = exports.memory;
    for (const name of ["p15_session_run", "p15_watched_run"])
        exports[name] = (...numbers) => {
            if (trapped) throw (trapped = false) || new WebAssembly.RuntimeError("unreachable");
            return instance.exports[name](...numbers);
        };
    return { instance: { exports } };
};
(0, eval)(given.worker);
onmessage({ data: { core: given.core, data: given.data } });

let last = 0;
function ask({ cancel, trap, starve, beside = [], ...question }) {
    const id = ++last;
    if (trap) trapped = true;
    if (starve) memory.grow((2 ** 30 - memory.buffer.byteLength) / 2 ** 16);
    const found = new Promise((resolve) => waiting.set(id, { resolve, progress: [] }));
    onmessage({ data: { id, ...question } });
    if (cancel !== undefined) setTimeout(() => onmessage({ data: { cancel: id } }), cancel);
    return Promise.all([found, ...beside.flatMap(ask)]);
}

(async () => {
    const answers = [];
    for (const question of given.questions) answers.push(...(await ask(question)).flat());
    process.stdout.write(JSON.stringify(answers), () => process.exit(0));
})();
