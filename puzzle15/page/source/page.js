// The page: its three views, the address that holds the position, and troubles.

import { readAddress, writeAddress } from "./address.js";
import { Choosing } from "./play/choosing.js";
import { Game } from "./play/game.js";
import { Play } from "./play/play.js";
import { Waiting } from "./play/waiting.js";
import { Race } from "./race/race.js";
import { record } from "./watch/panel.js";
import { Watching } from "./watch/watching.js";

/** Made when they are first opened. A view has `open({ game, board, goal, asked })`; see `frame` for the rest. */
const VIEWS = { play: Play, watch: Watching, race: Race };
const ADDRESS_PAUSE = 300; // milliseconds: browsers refuse to change the address too often

const page = (id) => document.getElementById(id);
const views = {};
let view = "play";
let game = null;
let later = 0;

/**
 * What views know of the page. A view may have `close()`, called when another is shown, and `parameters()`: what it
 * shows, as texts for the address, which come back as `asked`.
 */
const frame = {
    page,
    /** Let screen readers speak a sentence. */
    speak: (sentence) => (page("spoken").textContent = sentence),
    /** Show why something failed. */
    report(error) {
        page("trouble-words").textContent = error.message;
        page("trouble").hidden = false;
    },
    settle: () => (page("trouble").hidden = true),
    /** Begin a game, as a new entry of the browser's history. */
    begin(next) {
        if (game) remember(); // where the player stood in the last one
        play(next);
        remember("pushState");
    },
    /** Go to a view, with parameters as in the address. */
    go(name, asked = {}) {
        remember();
        show(name, asked);
        remember("pushState");
    },
    /** To be called when the position or the parameters of the view have changed. */
    changed() {
        clearTimeout(later);
        later = setTimeout(remember, ADDRESS_PAUSE);
    },
};

frame.waiting = new Waiting(frame);
const choosing = new Choosing(frame);

page("dismiss").addEventListener("click", frame.settle);
addEventListener("unhandledrejection", ({ reason }) => frame.report(reason));
for (const name of Object.keys(VIEWS))
    page(`to-${name}`).addEventListener("click", () => name !== view && frame.go(name));
page("skip").addEventListener("click", () => {
    if (view !== "play") frame.go("play");
    views.play?.focusBoard();
});

// --- Views. One that fails says so, and the others go on.

function attempt(act) {
    try {
        return act();
    } catch (error) {
        frame.report(error);
    }
}

function show(name, asked = {}) {
    if (name !== view) attempt(() => views[view]?.close?.());
    view = name in VIEWS ? name : "play";
    for (const each of Object.keys(VIEWS)) {
        page(each).hidden = each !== view;
        page(`to-${each}`).ariaCurrent = each === view ? "page" : null;
    }
    attempt(() => {
        views[view] ??= new VIEWS[view](frame);
        const { board, goal } = game;
        views[view].open({ game, board, goal, asked });
    });
}

function play(next, name = view, asked = {}) {
    frame.settle();
    frame.waiting.end();
    game?.stopClock();
    game = next;
    choosing.show(game);
    show(name, asked);
}

// --- The address. Each game is one entry of the browser's history; its moves change that entry.

function remember(change = "replaceState") {
    clearTimeout(later);
    const asked = attempt(() => views[view]?.parameters?.());
    const { board, goal } = game;
    history[change]({ game: game.saved(), view, asked }, "", writeAddress({ board, goal }, view, asked));
}

/** Open what the browser's history or the address holds. */
function restore(saved) {
    if (saved) return play(Game.restored(saved.game), saved.view, saved.asked);
    const { view: name, asked, ...link } = readAddress(location.hash || record?.fragment || "");
    const isLink = link.board ?? link.goal;
    if (!isLink && game) return show(name, asked);
    try {
        play(isLink ? choosing.linked(link) : choosing.first(), name, asked);
    } catch (error) {
        if (!game) play(choosing.first(), name, asked);
        frame.report(new Error(`The board of this link cannot be shown. ${error.message}`));
    }
    remember();
}

addEventListener("popstate", (event) => restore(event.state));
restore(history.state);
