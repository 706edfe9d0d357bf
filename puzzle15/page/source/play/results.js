// The best results of each level and the averages of the last five, which the browser keeps where it allows it.

import { counted } from "../core/board.js";

const KEY = "puzzle15 results";
const KEPT = 5;

/** The mean without the best and the worst, as speed-solvers count. */
function average(numbers) {
    const middle = [...numbers].sort((a, b) => a - b).slice(1, -1);
    return middle.reduce((sum, each) => sum + each, 0) / middle.length;
}

/** A time as speed-solvers write it, such as 1:02.34. */
export function timeText(milliseconds) {
    const hundredths = Math.floor(milliseconds / 10);
    const seconds = ((hundredths % 6000) / 100).toFixed(2);
    return `${Math.floor(hundredths / 6000)}:${seconds.padStart(5, "0")}`;
}

/** The results by level: { time, moves, last: [[milliseconds, moves], ..] }. */
function read() {
    try {
        const kept = Object.entries(JSON.parse(localStorage.getItem(KEY)) ?? {});
        const isWhole = ({ time, moves, last }) => time >= 0 && moves >= 0 && Array.isArray(last);
        return Object.fromEntries(kept.filter(([, each]) => isWhole(each)));
    } catch {
        return {};
    }
}

/** Keep a result; the sentence says which of the best it has beaten. */
export function addResult(level, milliseconds, moves) {
    const all = read();
    const { time = Infinity, moves: fewest = Infinity, last = [] } = all[level] ?? {};
    const kept = [...last, [milliseconds, moves]].slice(-KEPT);
    all[level] = { time: Math.min(time, milliseconds), moves: Math.min(fewest, moves), last: kept };
    try {
        localStorage.setItem(KEY, JSON.stringify(all));
    } catch {
        return ""; // a browser that keeps nothing
    }
    if (!last.length) return "";
    return milliseconds < time ? " Your best time!" : moves < fewest ? " Your fewest moves!" : "";
}

/** The results of a level in words. */
export function resultWords(level) {
    const { time, moves, last } = read()[level] ?? {};
    if (!last) return "";
    const best = `Best: ${timeText(time)}, ${counted(moves, "move")}.`;
    if (last.length < KEPT) return best;
    const [times, counts] = [0, 1].map((part) => average(last.map((each) => each[part])));
    return `${best} Average of 5: ${timeText(times)}, ${counts.toFixed(1)} moves.`;
}
