"""The network object, for other extensions to hold."""


cdef extern from "learning/network/dense.h" nogil:
    ctypedef struct p15_dense:
        pass


cdef class Network:
    cdef p15_dense *c
