"""Workers could be given by place."""

import pytest

from puzzle15.parallel import spread


def test_workers_by_place():
    with pytest.warns(DeprecationWarning, match=r"spread\(\): the argument 'workers' is given by name"):
        results = spread(sum, [[1, 2], [3]], 2)
    assert list(results) == [3, 3] == list(spread(sum, [[1, 2], [3]], workers=2))
