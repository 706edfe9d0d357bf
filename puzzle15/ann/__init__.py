"""The neural distance: networks that tell how far a 4x4 board is from its goal.

A network sees which tile is on which cell, and nothing else. What it predicts is no bound, but near: inside A* it
takes far fewer expansions than pattern tables, and finds solutions that are shortest ones or nearly so [1]_. Inference
needs no more than numpy and the C core (csrc/learning/network/dense.h).

A network is a ``.npz`` file without pickles:

======== =================================================================================================
array    content
======== =================================================================================================
``meta`` uint8, a JSON object in UTF-8: ``format`` 1, ``kind`` (``float`` or ``quantized``), ``target``
         (``distance``: the output is the prediction in moves; ``residual``: Manhattan + 2 outputs is),
         ``lowered`` (moves by which the prediction is lowered before it is rounded, unless told), ``layers``
         (a list of ``inputs``, ``outputs``, ``activation``), ``checksum``, and how it was trained
``w0``.. weights (inputs, outputs): of ``float`` networks float16 or float32, computed with as float32. Input
         16 * tile + cell is 1 if the tile (0: the blank) lies on the cell. Batch normalisation is folded in.
``b0``.. biases (outputs,): float32
======== =================================================================================================

The activations of floats are ``none``, ``relu`` and ``elu``. The first two layers of ``quantized`` networks are integers:
w0 int8, b0 int16, ``clipped-relu`` with a ``shift``: ``x = clip((b0 + sum of 16 rows of w0) >> shift, 0, 127)``; w1 int8, b1
int32, ``relu`` or ``none`` with a ``scale``: ``y = relu((b1 + x @ w1) / scale)``. No weight is -128.

The checksum is the SHA-256, in hex, of all arrays but ``meta`` in the order of their names, each as its name and its
bytes, little end first.

References
----------
.. [1] V. Cahlik, P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal
   Solving of the (N^2-1)-puzzle", NCTA 2019.
"""

from .distance import DEFAULT_NETWORK, AnnDistance, checksum, network_names

__all__ = ["AnnDistance", "DEFAULT_NETWORK", "checksum", "network_names"]
