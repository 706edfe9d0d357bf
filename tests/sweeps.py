"""Splits a sweep of cases into those of the default run and those that are slow."""

import pytest


def sweep(cases, kept=1):
    """The values of one parameter for pytest.mark.parametrize: the first `kept` always run, the others are slow."""
    cases = list(cases)
    return cases[:kept] + [pytest.param(case, marks=pytest.mark.slow) for case in cases[kept:]]
