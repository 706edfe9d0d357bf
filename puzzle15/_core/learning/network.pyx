"""Networks, around csrc/learning/network/dense.h, which is the manual.

What takes many boards acts on signals and on the end of its team within a tenth of a second.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

from puzzle15._core.c cimport *
from puzzle15.parallel import Pace, QUICK_STEPS

MAX_LAYERS = P15_DENSE_MAX_LAYERS
MAX_WIDTH = P15_DENSE_MAX_WIDTH
MAX_BATCH = P15_DENSE_MAX_BATCH
#: The activations of float layers, by their number.
ACTIVATIONS = ("none", "relu", "elu")
#: The instruction sets that a network can be made for, by their number; a processor has all up to some one.
LEVELS = ("portable", "x86-64-v3", "x86-64-v4", "x86-64-v4 with VNNI")

assert len(LEVELS) == P15_CPU_COUNT and len(ACTIVATIONS) == P15_ACTIVATION_COUNT


def level():
    """The number in `LEVELS` of what the C core picked."""
    return <int>p15_cpu_pick()


cdef class Network:
    """A network that tells one number of a packed board of 4x4; it keeps copies of its weights.

    Parameters
    ----------
    layers : list of (weights, biases, activation)
        Float layers: float32 (inputs, outputs), float32 (outputs,), a number of `ACTIVATIONS`.
    quantized : tuple, optional
        The two layers before those: (weights0, biases0, shift, weights1, biases1, scale, activation), of
        int8 (256, n1), int16 (n1,), int, int8 (n1, n2), int32 (n2,), float, a number of `ACTIVATIONS`.
    level : int, optional
        An index of `LEVELS`, for tests; more than the processor has is what it has.

    Raises
    ------
    ValueError
        Layers that do not fit each other, or weights beyond what csrc/learning/network/dense.h allows.
    """

    def __cinit__(self, list layers not None, quantized=None, level=None):
        cdef p15_dense_layer[P15_DENSE_MAX_LAYERS] c_layers
        cdef p15_quantized_layers first
        cdef const float[:, ::1] weights
        cdef const float[::1] biases
        cdef const int8_t[:, ::1] weights0, weights1
        cdef const int16_t[::1] biases0
        cdef const int32_t[::1] biases1
        cdef p15_cpu cpu = p15_cpu_pick() if level is None else <p15_cpu><int>level
        if len(layers) > P15_DENSE_MAX_LAYERS or not 0 <= <int>cpu < len(LEVELS):
            raise ValueError(f"{len(layers)} float layers, level {level}")
        kept = []  # buffers of the views, until the weights are copied
        for i, (layer_weights, layer_biases, activation) in enumerate(layers):
            weights, biases = layer_weights, layer_biases
            kept.append((weights, biases))
            if biases.shape[0] != weights.shape[1] or not weights.shape[0] or not weights.shape[1]:
                raise ValueError(f"layer {i}: weights ({weights.shape[0]}, {weights.shape[1]}), {biases.shape[0]} biases")
            c_layers[i].inputs, c_layers[i].outputs = weights.shape[0], weights.shape[1]
            c_layers[i].activation = <p15_activation><int>activation
            c_layers[i].weights, c_layers[i].biases = &weights[0, 0], &biases[0]
        if quantized is None:
            check_status(p15_dense_new(c_layers, len(layers), cpu, &self.c), "network")
            return
        weights0, biases0, first.shift, weights1, biases1, first.scale, activation = quantized
        if (weights0.shape[0] != P15_DENSE_INPUTS or not weights0.shape[1] or biases0.shape[0] != weights0.shape[1] or
                weights1.shape[0] != weights0.shape[1] or not weights1.shape[1] or biases1.shape[0] != weights1.shape[1]):
            raise ValueError(f"quantized layers ({weights0.shape[0]}, {weights0.shape[1]}), {biases0.shape[0]}; "
                             f"({weights1.shape[0]}, {weights1.shape[1]}), {biases1.shape[0]}")
        first.hidden, first.outputs = weights0.shape[1], weights1.shape[1]
        first.activation = <p15_activation><int>activation
        first.weights0, first.biases0 = &weights0[0, 0], &biases0[0]
        first.weights1, first.biases1 = &weights1[0, 0], &biases1[0]
        check_status(p15_dense_new_quantized(&first, c_layers, len(layers), cpu, &self.c), "network")

    def __dealloc__(self):
        p15_dense_delete(self.c)

    @property
    def memory_bytes(self):
        """Of the copies, which are padded."""
        return p15_dense_bytes(self.c)

    def outputs(self, const uint64_t[::1] boards not None, float[::1] outputs not None, size_t batch=128):
        """The network's numbers of boards that are some, `batch` (1 .. `MAX_BATCH`) at a time."""
        cdef p15_dense_batch *together = NULL
        cdef size_t i, begin = 0, end, steps, count = boards.shape[0]
        if <size_t>outputs.shape[0] != count:
            raise ValueError(f"arrays of {count} boards and {outputs.shape[0]} outputs")
        check_status(p15_dense_batch_new(self.c, batch, &together), f"batch {batch}")
        pace = Pace(QUICK_STEPS)
        try:
            while begin < count:
                steps = pace.steps
                with nogil:
                    while begin < count and steps > 0:
                        end = min(begin + batch, count)
                        for i in range(begin, end):
                            p15_dense_add(together, boards[i])
                        p15_dense_run(together, &outputs[begin])
                        steps -= min(steps, batch)
                        begin = end
                pace.check_stop()
        finally:
            p15_dense_batch_delete(together)

    def child_outputs(self, uint64_t board, const unsigned char[:, ::1] moves not None, float[::1] outputs not None):
        """Those of children: each move (M, 2) is the blank's cell and that of the tile that slides there."""
        cdef p15_dense_batch *together = NULL
        cdef Py_ssize_t i
        if not 0 < moves.shape[0] == outputs.shape[0] or moves.shape[1] != 2:
            raise ValueError(f"arrays of {moves.shape[0]} moves and {outputs.shape[0]} outputs")
        check_status(p15_dense_batch_new(self.c, moves.shape[0], &together), f"{moves.shape[0]} moves")
        for i in range(moves.shape[0]):
            p15_dense_add_child(together, board, moves[i, 0] & 15, moves[i, 1] & 15)
        p15_dense_run(together, &outputs[0])
        p15_dense_batch_delete(together)
