"""The neural distance: networks that estimate the distance of a 4x4 board to its goal.

A network sees which tile is on which cell, and nothing else. Its prediction is not a bound, but it is close to the true
distance: with it, A* expands far fewer nodes than with pattern tables, and its solutions are optimal or nearly so
[1]_. Inference needs only numpy and the C core (csrc/learning/network/dense.h).

The file of a network is an ``.npz`` file without pickles:

======== =================================================================================================
array    content
======== =================================================================================================
``meta`` uint8, a JSON object in UTF-8: ``format`` 1, ``kind`` (``float`` or ``quantized``), ``target``
         (with ``distance``, the output is the prediction in moves; with ``residual``, the prediction is the
         Manhattan distance + 2 outputs), ``lowered`` (the default for the moves by which predictions are lowered
         before they are rounded), ``layers`` (a list of ``inputs``, ``outputs``, ``activation``), ``checksum``,
         and how the network was trained
``w0``.. weights (inputs, outputs): in ``float`` networks float16, float32, or int8 with scales; used as float32.
         Input 16 * tile + cell is 1 if the tile (0: the blank) is on the cell. Batch normalisation is folded in.
``b0``.. biases (outputs,): float32
``s0``.. beside int8 weights of float layers, their scales (outputs,): float32; a weight is ``w * s``
======== =================================================================================================

The activations of float layers are ``none``, ``relu`` and ``elu``. The first two layers of ``quantized`` networks are
integers. The first has w0 int8, b0 int16, and the activation ``clipped-relu`` with a ``shift``:
``x = clip((b0 + sum of 16 rows of w0) >> shift, 0, 127)``. The second has w1 int8, b1 int32, and the activation
``relu`` or ``none`` with a ``scale``: ``y = relu((b1 + x @ w1) / scale)``. No weight is -128.

The checksum is the SHA-256, in hex, of all arrays except ``meta``, in the order of their names. Each array contributes
its name and its bytes, in little-endian order.

References
----------
.. [1] V. Cahlik, P. Surynek, "On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal
   Solving of the (N^2-1)-puzzle", NCTA 2019.
"""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
