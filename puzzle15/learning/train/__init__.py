"""Train networks that estimate distances: ``python -m puzzle15.learning.train DATASET.. --network NAME -o FILE.npz``.

A dataset is a folder that ``puzzle15 label`` wrote. A good one has uniform boards and all boards along a shortest
solution of each (``--along-path``). A good second one has the boards that a search with an earlier network meets
(`puzzle15.learning.gather`). After each twentieth of the budget, the command reports the error on boards that it never
trains on, and writes a checkpoint. A stopped run continues from there (``--resume``), with other data if you like.

The network learns ``(distance - Manhattan) / 2``, or the distance itself (``--target``). Half of the boards are
reflected. Only the seed and the number of a step decide which boards are drawn. Therefore ``--steps`` yields the same
weights again on the same machine, even after interruptions. How far ``--minutes`` gets depends on the machine.

With an expectile below one half (``--expectile``), predictions that are too high cost more than those that are too low.
A* finds a longer solution only if the distance of a board on the shortest path is predicted too high. The expectile
lowers uncertain predictions, and leaves certain ones as they are.

In the last part of the training, quantized networks are rounded as they are in use (weights to 8 bits, activations to
7), but gradients are passed through as if nothing were rounded [1]_.

Training needs PyTorch, which the extra ``train`` installs. Only the modules of this folder use it.

References
----------
.. [1] B. Jacob et al., "Quantization and Training of Neural Networks for Efficient
   Integer-Arithmetic-Only Inference", CVPR 2018.
"""

from .designs import NETWORKS, Design
from .rows import Rows, read_rows

__all__ = ["NETWORKS", "Design", "Rows", "read_rows"]
