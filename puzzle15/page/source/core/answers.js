// The workers of the page: a hint waits neither for an analysis nor for a search.

import { contentOf, Engine, startWorker } from "./engine.js";

/** What `puzzle15 page` writes: `algorithms`, `heuristics`, `ties`, `shapes` with their farthest distances, `tables`. */
export const data = JSON.parse(contentOf("data"));

/** For hints and solutions; for scrambles and analyses; for textbook searches. */
export const exact = new Engine(() => startWorker(data));
export const background = new Engine(() => startWorker(data));
export const searcher = new Engine(() => startWorker(data));

/** For trials in the browser's console, and for tests. */
window.puzzle15 = { data, exact, background, searcher };
