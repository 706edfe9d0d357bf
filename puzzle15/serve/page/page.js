// The page: its two views, new boards, the address that holds the position, and troubles.

import { Board } from "./core/board.js";
import { Game } from "./play/game.js";
import { ask, fieldsOf, isRefusal, Trouble } from "./interface.js";
import { Play } from "./play/play.js";
import { Race } from "./race.js";

const FIRST = { shape: "4x4", distance: 20 };
const EASY = 50; // boards at larger distances take time to find
const ADDRESS_PAUSE = 300; // milliseconds: browsers refuse to change the address too often
const LARGEST_DISTANCES = fieldsOf("scramble").shape["x-largest-distances"]; // by shape

const page = (id) => document.getElementById(id);

/** Let screen readers speak a sentence. */
function speak(sentence) {
    page("spoken").textContent = sentence;
}

// --- Troubles.

/** Show why the server gave no answer. */
function report(error) {
    if (error.status === undefined) throw error; // no trouble of the server, but a mistake of the page
    page("trouble-words").textContent = error.message;
    page("trouble").hidden = false;
}

function settle() {
    page("trouble").hidden = true;
}

page("dismiss").addEventListener("click", settle);

// --- Views and the address. Each game is one entry of the browser's history; its moves change that entry.

const play = new Play({ page, speak, report, settle, changed: rememberSoon });
const race = new Race(page, speak, report);
let view = "play";
let later = 0;

function address() {
    return `#board=${play.game.board.toLink()}${view === "race" ? "&view=race" : ""}`;
}

function remember(change = "replaceState") {
    clearTimeout(later);
    history[change]({ ...play.game.saved(), view }, "", address());
}

function rememberSoon() {
    clearTimeout(later);
    later = setTimeout(remember, ADDRESS_PAUSE);
}

function show(name) {
    view = name;
    for (const each of ["play", "race"]) {
        page(each).hidden = each !== name;
        if (each === name) page(`to-${each}`).setAttribute("aria-current", "page");
        else page(`to-${each}`).removeAttribute("aria-current");
    }
    if (name === "race") {
        play.closeReplay();
        race.show(play.game.board);
    }
}

for (const name of ["play", "race"])
    page(`to-${name}`).addEventListener("click", () => {
        if (name === view) return;
        remember();
        show(name);
        remember("pushState");
    });

page("skip").addEventListener("click", () => {
    if (view === "race") show("play");
    play.focusBoard();
});

/** Begin a game, as a new entry of the history. */
function begin(board, change = "pushState") {
    settle();
    page("own-words").textContent = "";
    if (play.game && change === "pushState") remember(); // where the player stood in the last one
    play.open({ game: new Game(board) });
    chooseShape(board.shape);
    show(view);
    remember(change);
}

/** Open what the browser's history or the address holds. */
async function restore(saved) {
    settle();
    if (saved) {
        play.open({ game: Game.restored(saved) });
        chooseShape(play.game.start.shape);
        return show(saved.view);
    }
    const asked = new URLSearchParams(location.hash.slice(1));
    view = asked.get("view") === "race" ? "race" : "play";
    const text = asked.get("board");
    if (!text && play.game) return show(view);
    try {
        begin(await (text ? readBoard(text) : scrambled(FIRST.shape, FIRST.distance)), "replaceState");
    } catch (error) {
        if (!play.game) begin(Board.goal(FIRST.shape), "replaceState");
        refuse(error);
    }
}

addEventListener("popstate", (event) => restore(event.state));

// --- New boards.

async function scrambled(shape, distance) {
    const { board } = await ask("scramble", distance ? { shape, distance } : { shape });
    if (board !== null) return Board.parse(board);
    throw new Trouble(`No board was found at distance ${distance} in time. A smaller distance is easier to find.`, 200);
}

/** The board of a text in any form that the server reads. */
async function readBoard(text) {
    const answer = await ask("hint", { board: text }, { seconds: 0 });
    return Board.parse(answer.board);
}

/** Show why there is no board: below the field for boards if the text is none. */
function refuse(error) {
    if (isRefusal(error)) page("own-words").textContent = error.message;
    else report(error);
}

/** Begin a game at a board that the server finds; meanwhile the buttons of the form are disabled. */
async function change(form, find, sentence) {
    const buttons = [...page(form).querySelectorAll("button")];
    for (const button of buttons) button.disabled = true;
    try {
        begin(await find());
        speak(sentence);
    } catch (error) {
        refuse(error);
    } finally {
        for (const button of buttons) button.disabled = false;
    }
}

async function scramble(distance) {
    const shape = page("shape").value;
    const words = distance ? `${distance} moves from the goal` : "at any distance from the goal";
    page("new-words").textContent = distance > EASY ? "Such boards are rare: this may take some seconds." : "";
    await change("new", () => scrambled(shape, distance), `A new board, ${shape}, ${words}.`);
    page("new-words").textContent = "";
}

function chooseShape(shape) {
    page("shape").value = shape;
    const most = LARGEST_DISTANCES[shape];
    const wanted = page("wanted");
    wanted.max = most;
    wanted.value = Math.min(wanted.value, most);
    page("wanted-words").textContent = `${wanted.value} of at most ${most} moves`;
}

for (const shape of Object.keys(LARGEST_DISTANCES)) {
    const [rows, cols] = shape.split("x");
    page("shape").append(new Option(`${rows} x ${cols}: ${rows * cols - 1}-puzzle`, shape));
}
page("shape").addEventListener("input", () => chooseShape(page("shape").value));
page("wanted").addEventListener("input", () => chooseShape(page("shape").value));
page("new").addEventListener("submit", (event) => {
    event.preventDefault();
    scramble(Number(page("wanted").value));
});
page("any").addEventListener("click", () => scramble(0));

page("own").addEventListener("submit", (event) => {
    event.preventDefault();
    page("own-words").textContent = "";
    change("own", () => readBoard(page("text").value), "Your board is on the table.");
});

restore(history.state);
