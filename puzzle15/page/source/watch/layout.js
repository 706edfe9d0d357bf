// The places of the nodes in a tidy drawing of trees: those of one depth never overlap, parents are above children.

const COUSINS = 1.2; // the distance of neighbours that have different parents; that of children of one parent is 1

/** The centre of each node in widths of a node, from 0 at the left, and its depth; roots stand side by side. */
export function placed(nodes) {
    const extents = []; // [first, last] place at each depth of a subtree, relative to its root
    const offsets = nodes.map(() => 0); // from the parent
    /** Pack subtrees to the left as tight as possible, around their middle; the extent of all. */
    const pack = (children) => {
        const all = [];
        for (const child of children) {
            const gaps = extents[child].map(([left], at) => (all[at]?.[1] ?? -Infinity) + (at ? COUSINS : 1) - left);
            const offset = (offsets[child] = all.length ? Math.max(...gaps) : 0);
            extents[child].forEach(([left, right], at) => (all[at] = [all[at]?.[0] ?? left + offset, right + offset]));
        }
        const middle = children.length ? offsets[children.at(-1)] / 2 : 0;
        for (const child of children) offsets[child] -= middle;
        return all.map(([left, right]) => [left - middle, right - middle]);
    };
    for (const { index, children } of [...nodes].reverse()) extents[index] = [[0, 0], ...pack(children)];
    const [[left], ...deeper] = pack(nodes.filter(({ parent }) => parent === null).map(({ index }) => index));
    const first = Math.min(left, ...deeper.map(([each]) => each));
    const places = [];
    for (const { index, parent } of nodes) {
        const above = places[parent] ?? { x: -first, depth: -1 };
        places.push({ x: above.x + offsets[index], depth: above.depth + 1 });
    }
    return places;
}
