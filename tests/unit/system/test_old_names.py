"""Old names still work, and say what they are called now."""

import pickle
import warnings

import pytest

from puzzle15.system.old_names import old_name, renamed


class Counter:
    @renamed("limit", "workers", directory="tables", threads="workers")
    def __init__(self, boards, *, limit=None, workers=1, tables=None):
        self.given = boards, limit, workers, tables

    def count_many(self, boards, *, workers=1):
        """How many there are."""
        return len(boards) * workers

    counts = old_name("counts", count_many)
    twice = old_name("twice", count_many, workers=2)


def test_new_names_say_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Counter("abc", limit=2, workers=3, tables="there").given == ("abc", 2, 3, "there")


def test_old_names_are_the_new_ones():
    with pytest.warns(DeprecationWarning) as told:
        assert Counter("abc", threads=3, directory="there").given == ("abc", None, 3, "there")
    assert [str(each.message) for each in told] == [
        "Counter(): 'directory' is now 'tables'; the next release does not know the old name",
        "Counter(): 'threads' is now 'workers'; the next release does not know the old name",
    ]
    assert {each.filename for each in told} == {__file__}


def test_arguments_by_place():
    with pytest.warns(DeprecationWarning) as told:
        assert Counter("abc", 2, 3).given == ("abc", 2, 3, None)
    assert "'limit' is given by name: limit=..;" in str(told[0].message)
    assert len(told) == 2 and {each.filename for each in told} == {__file__}


@pytest.mark.parametrize(
    "arguments, named, message",
    [
        (("abc",), {"threads": 1, "workers": 2}, "got both 'threads' and 'workers'"),
        (("abc", 2), {"limit": 2}, "multiple values for argument 'limit'"),
        (("abc", 2, 3, 4), {}, "positional argument"),
        (("abc",), {"tabels": 1}, "unexpected keyword argument 'tabels'"),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_wrong_stays_wrong(arguments, named, message):
    with pytest.raises(TypeError, match=message):
        Counter(*arguments, **named)


def test_a_function_by_its_old_name():
    counter = Counter("abc")
    with pytest.warns(DeprecationWarning, match=r"^counts\(\) is now count_many\(\); the next release") as told:
        assert counter.counts("abc", workers=2) == 6
    assert told[0].filename == __file__
    assert Counter.counts.__doc__ == "The old name of `count_many`."
    with pytest.warns(DeprecationWarning, match=r"^twice\(\) is now count_many\(workers=2\); the next release"):
        assert counter.twice("abc") == 6


def test_what_was_made_by_old_names_travels():
    with pytest.warns(DeprecationWarning):
        counter = Counter("abc", threads=3)
    assert pickle.loads(pickle.dumps(counter)).given == counter.given
