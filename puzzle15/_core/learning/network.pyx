"""Networks, around csrc/learning/network/dense.h."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

from puzzle15._core.base.board cimport cpu_level
from puzzle15._core.c cimport *
from puzzle15._system.threads import StepSizer, QUICK_STEPS
from ...errors import OptionError


cdef extern from "learning/network/dense.h" nogil:
    enum:
        P15_DENSE_INPUTS, P15_DENSE_MAX_LAYERS

    ctypedef enum p15_activation:
        P15_ACTIVATION_COUNT

    ctypedef struct p15_dense_layer:
        unsigned inputs, outputs
        p15_activation activation
        const float *weights
        const float *biases

    ctypedef struct p15_quantized_layers:
        unsigned hidden, outputs, shift
        p15_activation activation
        float scale
        const int8_t *weights0
        const int8_t *weights1
        const int16_t *biases0
        const int32_t *biases1

    ctypedef struct p15_dense_batch:
        pass

    p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu, p15_dense **network)
    p15_status p15_dense_new_quantized(const p15_quantized_layers *first, const p15_dense_layer *layers, unsigned count,
                                       p15_cpu cpu, p15_dense **network)
    void p15_dense_delete(p15_dense *network)
    p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **batch)
    void p15_dense_batch_delete(p15_dense_batch *batch)
    void p15_dense_add(p15_dense_batch *batch, p15_board board)
    void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell)
    void p15_dense_run(p15_dense_batch *batch, float *outputs)


#: The activations of float layers, by their number.
ACTIVATIONS = ("none", "relu", "elu")

assert len(ACTIVATIONS) == P15_ACTIVATION_COUNT


cdef class Network:
    """A network that maps a packed board of 4x4 to one number; it keeps copies of its weights.

    `layers` are float layers: (weights, biases, a number of `ACTIVATIONS`). `quantized` are the two layers before them:
    (weights0, biases0, shift, weights1, biases1, scale, a number of `ACTIVATIONS`).
    """

    def __cinit__(self, list layers not None, quantized=None):
        cdef p15_dense_layer[P15_DENSE_MAX_LAYERS] c_layers
        cdef p15_quantized_layers first
        cdef const float[:, ::1] weights
        cdef const float[::1] biases
        cdef const int8_t[:, ::1] weights0, weights1
        cdef const int16_t[::1] biases0
        cdef const int32_t[::1] biases1
        if len(layers) > P15_DENSE_MAX_LAYERS:
            raise OptionError(f"{len(layers)} float layers")
        kept = []  # buffers of the views, until the weights are copied
        for i, (layer_weights, layer_biases, activation) in enumerate(layers):
            weights, biases = layer_weights, layer_biases
            kept.append((weights, biases))
            if biases.shape[0] != weights.shape[1] or not weights.shape[0] or not weights.shape[1]:
                raise OptionError(f"layer {i}: weights ({weights.shape[0]}, {weights.shape[1]}), {biases.shape[0]} biases")
            c_layers[i].inputs, c_layers[i].outputs = weights.shape[0], weights.shape[1]
            c_layers[i].activation = <p15_activation><int>activation
            c_layers[i].weights, c_layers[i].biases = &weights[0, 0], &biases[0]
        if quantized is None:
            check_status(p15_dense_new(c_layers, len(layers), cpu_level(), &self.c), "network")
            return
        weights0, biases0, first.shift, weights1, biases1, first.scale, activation = quantized
        if (weights0.shape[0] != P15_DENSE_INPUTS or not weights0.shape[1] or biases0.shape[0] != weights0.shape[1] or
                weights1.shape[0] != weights0.shape[1] or not weights1.shape[1] or biases1.shape[0] != weights1.shape[1]):
            raise OptionError(f"quantized layers ({weights0.shape[0]}, {weights0.shape[1]}), {biases0.shape[0]}; "
                             f"({weights1.shape[0]}, {weights1.shape[1]}), {biases1.shape[0]}")
        first.hidden, first.outputs = weights0.shape[1], weights1.shape[1]
        first.activation = <p15_activation><int>activation
        first.weights0, first.biases0 = &weights0[0, 0], &biases0[0]
        first.weights1, first.biases1 = &weights1[0, 0], &biases1[0]
        check_status(p15_dense_new_quantized(&first, c_layers, len(layers), cpu_level(), &self.c), "network")

    def __dealloc__(self):
        p15_dense_delete(self.c)

    def outputs(self, const uint64_t[::1] boards not None, float[::1] outputs not None, size_t batch=128):
        """Fill the outputs of many boards, `batch` boards at a time."""
        cdef p15_dense_batch *together = NULL
        cdef size_t i, begin, end, some
        same_length(outputs.shape[0], boards.shape[0])
        check_status(p15_dense_batch_new(self.c, batch, &together), f"batch {batch}")
        try:
            for begin, end in StepSizer(QUICK_STEPS).pieces(boards.shape[0]):
                with nogil:
                    while begin < end:
                        some = min(batch, end - begin)
                        for i in range(begin, begin + some):
                            p15_dense_add(together, boards[i])
                        p15_dense_run(together, &outputs[begin])
                        begin += some
        finally:
            p15_dense_batch_delete(together)

    def child_outputs(self, uint64_t board, const unsigned char[:, ::1] moves not None, float[::1] outputs not None):
        """Fill those of children: each move (M, 2) is the blank's cell and that of the tile that slides there."""
        cdef p15_dense_batch *together = NULL
        cdef Py_ssize_t i
        same_length(moves.shape[1], 2)
        same_length(outputs.shape[0], moves.shape[0])
        check_status(p15_dense_batch_new(self.c, moves.shape[0], &together), f"{moves.shape[0]} moves")
        for i in range(moves.shape[0]):
            p15_dense_add_child(together, board, moves[i, 0] & 15, moves[i, 1] & 15)
        p15_dense_run(together, &outputs[0])
        p15_dense_batch_delete(together)
