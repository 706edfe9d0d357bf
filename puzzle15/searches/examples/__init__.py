"""Searches of the literature that are written with `puzzle15.nodes`; `algorithm_of` imports one by its name."""
