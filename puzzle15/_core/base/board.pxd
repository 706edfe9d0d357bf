"""The level of instructions, for other extensions to set in what they make."""

from puzzle15._core.c cimport p15_cpu


cdef p15_cpu cpu_level() except *
