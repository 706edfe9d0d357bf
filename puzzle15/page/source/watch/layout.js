// The places of the nodes in a tidy drawing of trees, as in puzzle15/pictures/tree_layout.py (Kennedy 1996).

const COUSINS = 1.2; // the distance of neighbours that have different parents; that of children of one parent is 1

/** The centre of each node in widths of a node, from 0 at the left, and its depth; roots stand side by side. */
export function placed(nodes) {
    const extents = nodes.map(() => []); // [first, last] place at each depth, relative to the node
    const offsets = nodes.map(() => 0);
    const arrange = (children) => {
        const below = children.map((child) => extents[child]);
        const packed = middled(below);
        children.forEach((child, at) => (offsets[child] = packed[at]));
        return joined(below, packed);
    };
    for (const { index, children } of [...nodes].reverse()) extents[index] = [[0, 0], ...arrange(children)];
    arrange(nodes.filter(({ parent }) => parent === null).map(({ index }) => index));
    const places = [];
    for (const { index, parent } of nodes) {
        const above = places[parent] ?? { x: 0, depth: -1 };
        places.push({ x: above.x + offsets[index], depth: above.depth + 1 });
    }
    const first = Math.min(...places.map(({ x }) => x));
    return places.map(({ x, depth }) => ({ x: x - first, depth }));
}

/** The offsets of subtrees around their middle: the averages of packing them from the left and from the right. */
function middled(extents) {
    const mirrored = extents.map((extent) => extent.map(([left, right]) => [-right, -left])).reverse();
    const fromRight = packedLeft(mirrored).reverse();
    const offsets = packedLeft(extents).map((left, at) => (left - fromRight[at]) / 2);
    const middle = offsets.length ? (offsets[0] + offsets.at(-1)) / 2 : 0;
    return offsets.map((offset) => offset - middle);
}

/** The offsets of subtrees that are packed to the left as tight as possible. */
function packedLeft(extents) {
    const ends = []; // the last place at each depth so far
    return extents.map((extent) => {
        const gaps = extent.map(([left], depth) => (ends[depth] ?? -Infinity) + (depth ? COUSINS : 1) - left);
        const offset = ends.length ? Math.max(...gaps) : 0;
        extent.forEach(([, right], depth) => (ends[depth] = offset + right));
        return offset;
    });
}

/** The extent of subtrees side by side. */
function joined(extents, offsets) {
    const all = [];
    extents.forEach((extent, at) => {
        extent.forEach(([left, right], depth) => {
            const [first, last] = all[depth] ?? [left + offsets[at], -Infinity];
            all[depth] = [Math.min(first, left + offsets[at]), Math.max(last, right + offsets[at])];
        });
    });
    return all;
}
