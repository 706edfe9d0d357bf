"""Compiled functions as heuristics: their addresses, their signatures, and how they are sent to other processes."""

from __future__ import annotations

import ctypes
import re
import sys
from importlib import import_module
from typing import Any, Optional

import numpy as np

from .._core.search.evaluator import capsule_name, capsule_pointer

#: The types of a function of a board (board, goal, data), and of a child (parent, goal, data, value, tile, from, to).
OF_BOARD = "int32(uint64, uint64, pointer)"
OF_CHILD = "int32(uint64, uint64, pointer, int32, int32, int32, int32)"

#: How C and ctypes call these types; the others are called alike everywhere.
_TYPES = {
    **dict.fromkeys(("int", "int32_t", "c_int"), "int32"),
    **dict.fromkeys(("uint64_t", "unsigned long long"), "uint64"),
    "voidptr": "pointer",
}

#: What ctypes has for an address. Its `cast` takes numbers as addresses, too, and texts, whose copies do not last.
_POINTERS: Any = (ctypes._Pointer, ctypes.Array, ctypes.c_void_p, ctypes.c_char_p, type(ctypes.byref(ctypes.c_int())))


class Compiled:
    """Compiled functions of a board and of a child, or None, and the data that they are given.

    It is sent as the name that it has in a module: that of `owner`, the heuristic that was made of it, or that of the
    function itself.
    """

    def __init__(self, function: Any, child: Any, data: Any) -> None:
        if type(function).__name__ == "LowLevelCallable":  # of SciPy
            data = function.user_data if data is None else data
            function = function.function
        self.function, self.child, self.data = function, child, data
        self.address = _address(function, OF_BOARD)
        self.child_address = 0 if child is None else _address(child, OF_CHILD)
        self.data_address = _data_address(data)
        self.owner: Any = self

    def __reduce__(self) -> tuple[Any, ...]:
        for name in sorted(sys.modules, key=lambda name: name in ("__main__", "__mp_main__")):
            for attribute, value in list(getattr(sys.modules[name], "__dict__", {}).items()):
                if value is self.owner or (value is self.function and self.child is self.data is None):
                    return _received, (name, attribute)
        raise AttributeError("no module has this compiled function, or the HeuristicFunction that was made of it")

    def __copy__(self) -> Compiled:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Compiled:
        return self


def _received(module: str, name: str) -> Compiled:
    found = getattr(import_module(module), name)
    return Compiled(found, None, None) if is_compiled(found) else found.function


def is_compiled(given: Any) -> bool:
    """Return whether it is a pointer to a compiled function, of ctypes, numba, cffi or SciPy, or a capsule."""
    kind = type(given)
    return (
        isinstance(given, ctypes._CFuncPtr)  # type: ignore[attr-defined]
        or (hasattr(given, "native_name") and hasattr(given, "address"))  # of numba
        or kind.__name__ in ("PyCapsule", "LowLevelCallable")
        or getattr(_cffi_type(given), "kind", None) == "function"
    )


def _cffi_type(given: Any) -> Any:
    """Return the type of a value of cffi; None of any other value."""
    cffi: Any = sys.modules.get("_cffi_backend")
    return cffi.typeof(given) if cffi and isinstance(given, cffi.FFI.CData) else None


def _cffi_address(given: Any) -> int:
    cffi: Any = sys.modules["_cffi_backend"]
    return int(cffi.FFI().cast("uintptr_t", given))


def _address(function: Any, expected: str) -> int:
    """Return the address of a compiled function; TypeError if it is not one, or is known to be of another type."""
    if not is_compiled(function):
        raise TypeError(
            f"{function!r}: expected a compiled function, {expected}: of ctypes, numba or cffi, or a capsule"
        )
    found: Optional[str] = None
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
        if function.argtypes is not None:
            found = f"{_ctypes_name(function.restype)}({', '.join(map(_ctypes_name, function.argtypes))})"
    elif hasattr(function, "native_name"):
        address, signature = function.address, function._sig
        found = f"{signature.return_type}({', '.join(map(str, signature.args))})"
    elif _cffi_type(function):
        address, found = _cffi_address(function), _cffi_type(function).cname.replace("(*)", "")
    else:
        address, found = capsule_pointer(function), capsule_name(function)
    if _calls_python(function):
        raise TypeError(
            f"{function!r}: it calls a Python function, whose exceptions and interrupts would be lost; give a Python "
            f"function itself"
        )
    if address == 0:
        raise TypeError(f"{function!r}: it is a null pointer; expected a compiled function, {expected}")
    if found and _normal(found) not in (expected, None):
        raise TypeError(f"{function!r}: it is {_normal(found)}; expected {expected}")
    return int(address)


def _calls_python(function: Any) -> bool:
    """Return whether it is a callback of ctypes or cffi, made of a Python function."""
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        kept = (function._objects or {}).values()
        return any(type(each).__name__ == "CThunkObject" for each in kept)
    return _cffi_type(function) is not None and " calling " in repr(function)


def _ctypes_name(kind: Any) -> str:
    """Return the name of a type of ctypes: by the bytes of integers, which differ among systems."""
    code = getattr(kind, "_type_", None)
    if isinstance(code, str) and code in "bBhHiIlLqQ":
        return f"{'u' if code.isupper() else ''}int{8 * ctypes.sizeof(kind)}"
    is_pointer = code is not None and (not isinstance(code, str) or code in "PzZ")
    return "pointer" if is_pointer else getattr(kind, "__name__", "void")


def _normal(signature: str) -> Optional[str]:
    """Return a signature in the form of `OF_BOARD`; None if it is some other text."""
    found = re.fullmatch(r"\s*([^(]+)\(([^()]*)\)\s*", signature)
    if not found:
        return None
    result, *arguments = (
        "pointer" if name.endswith("*") else _TYPES.get(name, name)
        for name in (part.replace("const ", "").strip() for part in (found[1], *found[2].split(",")))
    )
    return f"{result}({', '.join(arguments)})"


def _data_address(data: Any) -> int:
    """Return the address of the data that a compiled function is given; TypeError if it has none."""
    if data is None:
        return 0
    if isinstance(data, np.ndarray) and data.flags.c_contiguous:
        return int(data.ctypes.data)
    if getattr(_cffi_type(data), "kind", None) in ("pointer", "array"):
        return _cffi_address(data)
    if type(data).__name__ == "PyCapsule":
        return capsule_pointer(data)
    if isinstance(data, _POINTERS):
        return ctypes.cast(data, ctypes.c_void_p).value or 0
    raise TypeError(
        f"data {type(data).__name__}: expected a C-contiguous array, a pointer of ctypes or cffi, or a capsule"
    )
