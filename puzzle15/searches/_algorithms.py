"""The algorithms by name. All that is particular to one stands in its row of `ALGORITHMS`; `register` adds rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, get_args

from .._system.quantities import plain_name
from ..errors import OptionError

if TYPE_CHECKING:
    from .._system.sendable import PicklableCallable
    from ..heuristics import Heuristic

DEFAULT_HEURISTIC = "manhattan"

#: Which of equally good nodes can go first, in the order of the C core.
Ties = Literal["fifo", "lifo", "larger-g"]
TIES: tuple[Ties, ...] = get_args(Ties)
#: What weighted-a* can compare: see `puzzle15.searches._priorities`.
Priority = Literal["linear", "xdp", "xup"]
PRIORITIES: tuple[Priority, ...] = get_args(Priority)

#: What bounds, pictures and records compare.
Compared = Literal["g", "h", "g + h", "g + weight h"]
#: When solutions are shortest ones.
Shortest = Literal["yes", "if h is admissible", "if h is consistent", "no"]
#: What an algorithm remembers; those that remember one path take no limit on memory.
Memory = Literal[
    "every board",
    "every board that it kept",
    "as many boards as fit",
    "a table",
    "two depths",
    "width boards of each depth",
    "one path",
    "one path and its siblings",
]


class _ReadOnly(dict[Any, Any]):
    """A dict that only the methods of `dict` itself change, so that nobody does by accident."""

    def _refuse(self, *given: Any, **fields: Any) -> Any:
        raise TypeError("this mapping is read-only; expected a change of a copy, which dict() makes")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return _ReadOnly, (dict(self),)


class Algorithm(NamedTuple):
    """A search algorithm: how it runs, what it promises, and what it remembers.

    `search`, the help of the shell, the page, the plots and the tables of the READMEs read it. It is pickled as its
    name, and a registered one with its function; where it is unpickled, that one is then found by name, too.
    """

    name: str
    #: What it does, in one line that begins with a verb.
    summary: str
    #: The function of `puzzle15._core.search.searches` that runs it; empty if it is registered.
    kernel: str
    #: The options of `SearchOptions` that not every algorithm takes, and their defaults.
    options: Mapping[str, Any] = {}
    #: Further arguments of the kernel.
    settings: Mapping[str, Any] = {}
    #: What bounds, pictures and records compare; "g" if it uses no heuristic.
    f: Compared = "g + h"
    #: When its solutions are shortest ones.
    shortest: Shortest = "if h is admissible"
    #: What else tables say of its solutions.
    remark: str = ""
    #: What it remembers.
    memory: Memory = "every board"
    #: The most bytes that it takes by default; None stands for three quarters of the available memory.
    default_memory: Optional[int] = None
    #: Whether `compare` runs it by default on boards of more than 9 cells, where others rarely find a solution.
    for_large: bool = False
    #: Other names that are accepted.
    short: tuple[str, ...] = ()
    #: The function of a registered algorithm; None of the package's own ones.
    function: Optional[PicklableCallable] = None
    #: Of a registered algorithm: where its function is defined, and a random text, new with each registration.
    identity: tuple[str, str] = ("", "")

    @property
    def informed(self) -> bool:
        """bool: whether it uses a heuristic."""
        return "h" in self.f

    @property
    def bidirectional(self) -> bool:
        """bool: whether a second search goes from the goal toward the board; not known of registered algorithms."""
        return self.kernel in ("bidirectional", "meeting")

    @property
    def optimal(self) -> bool:
        """bool: whether its solutions are shortest ones, perhaps only with some heuristics."""
        return self.shortest != "no"

    @property
    def remembers(self) -> bool:
        """bool: whether it takes a limit on memory."""
        return self.memory not in ("one path", "one path and its siblings")

    def promises(self, heuristic: Heuristic) -> bool:
        """Return whether its solutions are shortest ones with a heuristic."""
        consistent = heuristic.consistent or self.shortest != "if h is consistent"
        return self.optimal and (not self.informed or (heuristic.admissible and consistent))

    def takes(self, option: str) -> bool:
        """Return whether it takes an option of `SearchOptions` that not every algorithm takes."""
        if option == "move_order" and self.function is None:
            return True
        return self.informed if option == "heuristic" else option in self.options

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            (algorithm_of, (self.name,)) if self.function is None or self.name in EXAMPLES else (_receive, tuple(self))
        )

    def load_kernel(self) -> Callable[..., Optional[dict[str, Any]]]:
        """Import the function that runs it."""
        kernel: Callable[..., Optional[dict[str, Any]]] = getattr(
            import_module("puzzle15._core.search.searches"), self.kernel
        )
        return kernel


#: The searches from both ends with a heuristic, in the order of the C core.
_MEETING = (
    ("mm", "search from both ends, the least max(g + h, 2 g) first: neither side goes beyond the middle"),
    ("mme", "search like mm, with max(g + h, 2 g + 1), because every move costs at least 1"),
    ("nbs", "search from both ends, the pair of boards with the least bound on a solution through both first"),
)

_KNOWN = _ReadOnly(
    (algorithm.name, algorithm._replace(options=_ReadOnly(algorithm.options)))
    for algorithm in (
        Algorithm(
            "breadth-first",
            "visit all boards at distance 1, then 2, and so on",
            "best_first",
            settings={"g_weight": 1, "h_weight": 0, "ties": TIES.index("fifo")},
            f="g",
            shortest="yes",
            short=("bfs",),
        ),
        Algorithm(
            "bidirectional",
            "search breadth-first from both ends until they meet",
            "bidirectional",
            f="g",
            shortest="yes",
            for_large=True,
        ),
        Algorithm(
            "depth-first",
            "follow one path to the depth limit, then backtrack",
            "deepening",
            {"max_length": None},
            f="g",
            shortest="no",
            memory="one path",
            short=("dfs",),
        ),
        Algorithm(
            "iterative-deepening",
            "search depth-first with a growing depth limit",
            "deepening",
            {"on_iteration": None},
            f="g",
            shortest="yes",
            memory="one path",
            short=("iddfs",),
        ),
        Algorithm(
            "ida*",
            "search depth-first with a growing bound on g + h",
            "deepening",
            {"batch": 1, "on_iteration": None},
            memory="one path",
            for_large=True,
        ),
        Algorithm(
            "a*",
            "expand the node with the least g + h first",
            "best_first",
            {"ties": "larger-g", "batch": 1},
            {"g_weight": 1, "h_weight": 1},
            for_large=True,
        ),
        Algorithm(
            "weighted-a*",
            "expand the node with the least g + weight h first",
            "best_first",
            {"ties": "larger-g", "weight": 2, "priority": "linear", "batch": 1},
            f="g + weight h",
            shortest="no",
            remark="at most weight times as long",
            for_large=True,
            short=("wa*",),
        ),
        Algorithm(
            "greedy",
            "expand the node with the least h first",
            "best_first",
            {"ties": "fifo", "batch": 1},
            {"g_weight": 0, "h_weight": 1},
            f="h",
            shortest="no",
            for_large=True,
            short=("gbfs", "greedy-best-first"),
        ),
        Algorithm(
            "branch-and-bound",
            "search like greedy, but go on until no solution can be shorter",
            "best_first",
            {"ties": "fifo", "batch": 1},
            {"g_weight": 0, "h_weight": 1, "prove": True},
        ),
        Algorithm(
            "beam",
            "search breadth-first, but keep only the best few boards of each depth",
            "beam",
            {"width": 100},
            f="h",
            shortest="no",
            memory="every board that it kept",
            for_large=True,
        ),
        Algorithm(
            "hill-climbing",
            "go to the best child while it is better",
            "hill_climbing",
            f="h",
            shortest="no",
            remark="it mostly fails",
            memory="one path",
            for_large=True,
        ),
        *(
            Algorithm(name, summary, "meeting", {"batch": 1}, {"rule": rule})
            for rule, (name, summary) in enumerate(_MEETING)
        ),
        Algorithm(
            "rbfs",
            "expand the node with the least g + h first, but remember one path and its siblings only",
            "rbfs",
            memory="one path and its siblings",
        ),
        Algorithm(
            "sma*",
            "search like a*, but forget the worst leaf when the memory is full",
            "sma",
            remark="the path must fit into the memory",
            memory="as many boards as fit",
        ),
        Algorithm(
            "ida*-tt",
            "search like ida*, but remember in a table what is proved of boards",
            "deepening",
            {"on_iteration": None},
            memory="a table",
            default_memory=256 * 1024**2,  # not the free memory, because the counts of nodes depend on it
            short=("ida*+tt",),
        ),
        Algorithm(
            "anytime-a*",
            "search like weighted-a*, but go on to shorter solutions",
            "anytime",
            {"weight": 2, "batch": 1, "on_improvement": None},
            short=("awa*", "anytime-weighted-a*"),
        ),
        Algorithm(
            "ara*",
            "search like weighted-a*, again with ever smaller weights",
            "anytime",
            {"weight": 2, "weight_step": "0.2", "on_improvement": None},
        ),
        Algorithm(
            "breadth-first-heuristic",
            "search breadth-first within a growing bound on g + h",
            "breadth_first_heuristic",
            {"on_iteration": None},
            memory="two depths",
            short=("bfhs",),
        ),
        Algorithm(
            "beam-stack",
            "search like beam, but come back for the boards that were dropped",
            "beam_stack",
            {"width": 1000, "on_improvement": None},
            {"below": None},
            memory="width boards of each depth",
        ),
    )
)
#: Every algorithm, by its name; `register` adds to them, and `unregister` removes.
ALGORITHMS: Mapping[str, Algorithm] = _KNOWN

#: Algorithms that are written with `puzzle15.nodes`, and the module of `puzzle15.searches` that registers them
#: when one is first asked for, in `LOADED`. They are not in `ALGORITHMS`, so `compare` runs them only where named.
EXAMPLES: Mapping[str, str] = _ReadOnly(
    (name, module)
    for module, names in (
        ("examples.bidirectional", ("bae*", "bs*", "dvcbs")),
        ("examples.real_time", ("rta*", "lrta*")),
        (
            "examples.path_list",
            ("kantz-breadth-first", "kantz-depth-first", "kantz-beam", "kantz-best-first", "kantz-a*"),
        ),
    )
    for name in names
)
LOADED: dict[str, Algorithm] = {}


def algorithm_of(name: str) -> Algorithm:
    """Return the algorithm of a name; ValueError lists the names.

    Shells expand ``*``, so ``astar`` means ``a*``, too. Case does not matter, and short names are accepted.

    >>> [algorithm_of(name).name for name in ("weighted-astar", "IDA*", "A star", "BFS")]
    ['weighted-a*', 'ida*', 'a*', 'breadth-first']
    """
    if isinstance(name, str) and name in ALGORITHMS:
        return ALGORITHMS[name]
    written = plain_name(name) if isinstance(name, str) else ""
    written = re.sub(r"-?star(?=$|[-+])", "*", written)
    for algorithm in list(ALGORITHMS.values()):  # another thread may receive one
        if written == plain_name(algorithm.name) or written in algorithm.short:
            return algorithm
    if written in EXAMPLES:
        import_module(f"puzzle15.searches.{EXAMPLES[written]}")
        return LOADED[written]
    if written in ("dijkstra", "uniform-cost", "ucs"):
        raise OptionError(f"algorithm {name!r}: every move costs 1, so it is breadth-first; write breadth-first")
    from difflib import get_close_matches

    names = {name.replace("*", "star"): name for name in (*ALGORITHMS, *EXAMPLES)}
    close = get_close_matches(written.replace("*", "star"), names, n=1)
    guess = f"did you mean {names[close[0]]!r}? " if close else ""
    raise OptionError(f"algorithm {shorten(name)}: {guess}expected one of {', '.join(names.values())}")


def _receive(*fields: Any) -> Algorithm:
    """Return a registered algorithm that was sent here."""
    sent = Algorithm(*fields)
    known = ALGORITHMS.get(sent.name)
    return make_known(sent) if known is None or known.identity != sent.identity else known


def make_known(algorithm: Algorithm) -> Algorithm:
    """Make a registered algorithm known; the answer is the one that `algorithm_of` finds."""
    known = algorithm._replace(options=_ReadOnly(algorithm.options))
    dict.__setitem__(LOADED if known.name in EXAMPLES else _KNOWN, known.name, known)
    return known


def unregister(name: str) -> None:
    """Remove an algorithm that `register` added; ValueError if there is none of this name."""
    if name not in ALGORITHMS or ALGORITHMS[name].function is None:
        own = [kind.name for kind in ALGORITHMS.values() if kind.function is not None]
        raise OptionError(f"algorithm {name!r}: expected one that was registered: {', '.join(own) or 'there is none'}")
    dict.__delitem__(_KNOWN, name)


def check_options(algorithms: Iterable[Algorithm], options: Iterable[str]) -> None:
    """Raise ValueError if an option was given that none of the algorithms takes."""
    algorithms = list(algorithms)
    for option in options:
        if not any(algorithm.takes(option) for algorithm in algorithms):
            users = [other.name for other in ALGORITHMS.values() if other.takes(option)]
            who = (
                algorithms[0].name + " does not use it" if len(algorithms) == 1 else "none of these algorithms uses it"
            )
            raise OptionError(f"{option}: {who}; {', '.join(users)} {'do' if len(users) > 1 else 'does'}")


def users_of(option: str) -> str:
    """Return the algorithms that take an option, with their defaults, as a sentence of help names them.

    >>> users_of("width"), users_of("weight_step")
    ('beam (default: 100) and beam-stack (default: 1000)', 'ara* (default: 0.2)')
    """
    defaults = {kind.name: kind.options[option] for kind in ALGORITHMS.values() if option in kind.options}
    same = len(set(defaults.values())) == 1 and len(defaults) > 1
    users = [name if same or value is None else f"{name} (default: {value})" for name, value in defaults.items()]
    return " and ".join(filter(None, [", ".join(users[:-1]), users[-1]]))
