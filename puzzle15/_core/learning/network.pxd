"""The network object, for other extensions to hold."""

from puzzle15._core.c cimport p15_dense


cdef class Network:
    cdef p15_dense *c
