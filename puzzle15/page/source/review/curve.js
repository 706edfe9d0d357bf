// Draws the analysis of a game: the distance over the moves, the mistakes, and where the player stands.

import { svgElement } from "../play/drawing.js";

const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 16, 16, 40];

/** Steps of an axis from 0 to `most`: round numbers, about `count` of them. */
function ticks(most, count) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => most / each <= count) ?? most;
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, number) => number * step);
}

/**
 * Draw into an `<svg>`, as wide as it is shown.
 *
 * distances : of the start and after each move; undefined where unknown
 * costly    : what `costlyMoves` gives
 * at        : the number of moves after which the player stands
 */
export function drawCurve(svg, { distances, costly, at }) {
    const width = Math.max(240, svg.clientWidth);
    const known = distances.filter((each) => each !== undefined);
    const last = Math.max(distances.length - 1, 1);
    const most = Math.max(1, ...known);
    const x = (move) => LEFT + (move / last) * (width - LEFT - RIGHT);
    const y = (distance) => HEIGHT - BOTTOM - (distance / most) * (HEIGHT - TOP - BOTTOM);
    const parts = [];
    const add = (name, attributes, ...text) => parts.push(svgElement(name, attributes, ...text));

    for (const tick of ticks(most, 4)) {
        add("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) });
        add("text", { class: "tick", x: LEFT - 8, y: y(tick) + 5, "text-anchor": "end" }, tick);
    }
    for (const tick of ticks(last, width / 80))
        add("text", { class: "tick", x: x(tick), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, tick);
    add("text", { class: "tick", x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "moves");
    const upwards = `translate(12 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`;
    add("text", { class: "tick", transform: upwards, "text-anchor": "middle" }, "distance");

    const shortest = distances[0];
    if (shortest !== undefined) {
        const end = Math.min(shortest, last);
        add("line", { class: "shortest", x1: x(0), y1: y(shortest), x2: x(end), y2: y(shortest - end) });
    }
    add("line", { class: "here", x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM });
    let path = "";
    distances.forEach((distance, move) => {
        if (distance === undefined) return;
        const joined = move && distances[move - 1] !== undefined;
        path += `${joined ? "L" : "M"}${x(move).toFixed(1)} ${y(distance).toFixed(1)}`;
    });
    add("path", { class: "curve", d: path });
    if (distances[at] !== undefined) add("circle", { class: "here", cx: x(at), cy: y(distances[at]), r: 6 });
    for (const { number } of costly) {
        const [cx, cy] = [x(number), y(distances[number])];
        add("path", { class: "costly", "data-move": number, d: `M${cx} ${cy - 8}l7 12h-14Z` });
    }

    svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    svg.replaceChildren(...parts);
}
