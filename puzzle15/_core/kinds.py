"""The heuristics that the C core computes by itself, and what each counts, in the order of `p15_heuristic_kind`.

This is a module of its own because it is read without loading the core.
"""

KINDS = {
    "misplaced": "tiles that are not on their goal cells",
    "manhattan": "the rows and columns between each tile and its goal cell",
    "reversal": "Manhattan distance, plus 2 for two neighbours that stand on each other's goal cells",
    "linear-conflict": "Manhattan distance, plus 2 for each tile that must leave its line to let others pass; the "
    "exact minimum",
    "walking-distance": "the moves that bring all tiles to their rows, plus those that bring them to their columns",
}
