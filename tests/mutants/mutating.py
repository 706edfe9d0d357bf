"""Makes mutants: copies of a source in which one operator, constant or statement differs.

Python is read by `ast`; C and JavaScript by a tokenizer that leaves out comments, texts, regular expressions, lines of
the preprocessor, and assertions. A mutant of the latter may not compile.
"""

import ast
import re
from dataclasses import dataclass

#: What an operator becomes, by language.
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+"}
SWAPS |= {"+=": "-=", "-=": "+=", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
IN_C = {**SWAPS, "&&": "||", "||": "&&"}
IN_JAVASCRIPT = {**IN_C, "===": "!==", "!==": "===", ">>>": "<<"}
IN_PYTHON = {**SWAPS, "and": "or", "or": "and", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}

#: Operators that may also stand before their only operand, where they stay.
UNARY = {"+", "-", "&"}


@dataclass(frozen=True)
class Mutant:
    """One change of a source: the bytes from `start` to `end` become `after`."""

    file: str
    line: int
    column: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    @property
    def id(self):
        return f"{self.file}:{self.line}:{self.column}:{self.kind}"

    def applied(self, content):
        return content[: self.start] + self.after.encode() + content[self.end :]

    def __str__(self):
        before, after = (re.sub(r"\s+", " ", text).strip() or "nothing" for text in (self.before, self.after))
        return f"{before if len(before) < 80 else before[:76] + ' ...'} -> {after}"


def mutants_of(file, content):
    """Return all mutants of a file, given its name and bytes, in their order there."""
    language = language_of(file)
    changes = python_changes(content) if language == "python" else token_changes(content.decode(), language)
    found = {}
    for start, end, kind, after in changes:
        line = content.count(b"\n", 0, start) + 1
        column = start - (content.rfind(b"\n", 0, start) + 1) + 1
        mutant = Mutant(file, line, column, kind, start, end, content[start:end].decode(), after)
        found[mutant.id] = mutant
    return sorted(found.values(), key=lambda each: (each.start, each.kind))


def language_of(file):
    return {"py": "python", "js": "javascript"}.get(file.rpartition(".")[2], "c")


def has_functions(file, content):
    """Return whether a file holds more than data and declarations."""
    if language_of(file) == "python":
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        return any(isinstance(node, kinds) for node in ast.walk(ast.parse(content)))
    return any(token.text in ("return", "=>") for token in tokens(content.decode(), language_of(file)))


def lines_of_code(file, content):
    """Return the number of lines that hold more than a comment or a text."""
    if language_of(file) != "python":
        return len({token.line for token in tokens(content.decode(), language_of(file))})
    nodes = ast.walk(ast.parse(content))
    return len({node.lineno for node in nodes if isinstance(node, ast.stmt | ast.expr) and not is_text(node)})


def is_text(node):
    return isinstance(node.value if isinstance(node, ast.Expr) else node, ast.Constant) and isinstance(
        (node.value if isinstance(node, ast.Expr) else node).value, str
    )


# ------------------------------------------------------------------------------------------------- Python


def python_changes(content):
    """Yield (start, end, kind, after) in bytes."""
    tree = ast.parse(content)
    lines = [0]
    for line in content.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def begin(node):
        return lines[node.lineno - 1] + node.col_offset

    def end(node):
        return lines[node.end_lineno - 1] + node.end_col_offset

    def between(left, right):
        """The operator between two operands."""
        text = re.sub(rb"#[^\n]*", lambda found: b" " * len(found[0]), content[end(left) : begin(right)])
        found = re.search(rb"not\s+in\b|is\s+not\b|[a-z]+|[^\s()\\]+", text)
        start = end(left) + found.start()
        before = " ".join(found[0].decode().split())
        if before in IN_PYTHON:
            yield start, end(left) + found.end(), "operator", IN_PYTHON[before]

    for node, within_function in code_of(tree):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            for left, right in zip(operands, operands[1:]):
                yield from between(left, right)
        elif isinstance(node, ast.BoolOp):
            for left, right in zip(node.values, node.values[1:]):
                yield from between(left, right)
        elif isinstance(node, ast.BinOp):
            yield from between(node.left, node.right)
        elif isinstance(node, ast.AugAssign):
            yield from between(node.target, node.value)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield begin(node), begin(node) + len("not"), "negation", ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield begin(node), end(node), "constant", str(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield begin(node), end(node), "constant", str(node.value + 1)
        if within_function and can_go(node):
            yield begin(node), end(node), "removed", "pass"


def code_of(tree):
    """Yield (node, whether it is within a function), but for annotations and what only type checkers read."""
    waiting = [(tree, False)]
    while waiting:
        node, within = waiting.pop()
        yield node, within
        within = within or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "format_spec") and not isinstance(node, ast.JoinedStr):
                values = value if isinstance(value, list) else [value]
                waiting += [(each, within) for each in values if isinstance(each, ast.AST)]


def can_go(node):
    """Return whether a statement may be removed. Without the value of a name, all tests would fail."""
    if isinstance(node, ast.Assign):
        return all(isinstance(each, ast.Attribute | ast.Subscript) for each in node.targets)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Return | ast.Raise | ast.Continue | ast.Break | ast.AugAssign)


# --------------------------------------------------------------------------------------- C and JavaScript

TOKEN = re.compile(
    r"""(?P<skipped>//[^\n]*|/\*(?s:.*?)\*/|\s+)
      | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\(?s:.)|[^`\\])*`)
      | (?P<name>[A-Za-z_$][\w$]*)
      | (?P<number>0[xX][0-9a-fA-F]+\w*|[0-9][\w.]*)
      | (?P<sign>>>>=|<<=|>>=|\.\.\.|===|!==|>>>|=>|->|\+\+|--|&&|\|\||\?\?=?|\?\.|\*\*|[-+*/%&|^<>=!]=|<<|>>|.)""",
    re.VERBOSE,
)
DIRECTIVE = re.compile(r"[ \t]*#(?:\\\n|[^\n])*")
REGULAR_EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*")
ASSERTIONS = {"assert", "static_assert", "_Static_assert"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"}
JUMPS = {"return", "continue", "break", "throw", "goto"}
NO_OPERAND = {"return", "case", "throw", "typeof", "of", "in", "else"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    line: int

    def ends_operand(self):
        return (
            self.kind in ("number", "text")
            or self.text in (")", "]")
            or (self.kind == "name" and self.text not in NO_OPERAND)
        )


def tokens(text, language):
    """Return the tokens, without comments, directives and assertions."""
    found, at, line, depth = [], 0, 1, None
    while at < len(text):
        match = DIRECTIVE.match(text, at) if language == "c" and text[at - 1 : at] in ("", "\n") else None
        if language == "javascript" and text[at] == "/" and not (found and found[-1].ends_operand()):
            regular = text[at + 1 : at + 2] not in "/*" and REGULAR_EXPRESSION.match(text, at)
            match = regular or match
        kind = "skipped" if match and match[0].lstrip()[:1] == "#" else "text" if match else None
        match = match or TOKEN.match(text, at)
        kind = kind or match.lastgroup
        if kind != "skipped":
            token = Token(kind, match[0], at, line)
            if depth is None and token.text in ASSERTIONS:
                depth = 0
            elif depth is not None:
                depth += (token.text == "(") - (token.text == ")")
                depth = None if token.text == ";" and depth == 0 else depth
            else:
                found.append(token)
        line += match[0].count("\n")
        at = match.end()
    return found


def token_changes(text, language):
    """Yield (start, end, kind, after) in bytes."""
    found = tokens(text, language)
    for start, end, kind, after in changes_between(found, IN_C if language == "c" else IN_JAVASCRIPT):
        yield len(text[:start].encode()), len(text[:end].encode()), kind, after


def changes_between(found, swaps):
    for at, token in enumerate(found):
        before = found[at - 1] if at else Token("sign", ";", 0, 0)
        end = token.start + len(token.text)
        binary = before.ends_operand() or token.text not in UNARY
        if token.kind == "sign" and token.text in swaps and binary:
            yield token.start, end, "operator", swaps[token.text]
        elif token.text == "!":
            yield token.start, end, "negation", ""
        elif token.text in ("true", "false"):
            yield token.start, end, "constant", {"true": "false", "false": "true"}[token.text]
        elif token.kind == "number" and (number := re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", token.text)):
            more = int(number[1], 0) + 1 if number[1][:2].lower() == "0x" else int(number[1]) + 1
            yield token.start, end, "constant", (hex(more) if "x" in number[1].lower() else str(more)) + number[2]
        if (last := end_of_statement(found, at, before)) is not None:
            yield token.start, found[last].start, "removed", ""


def end_of_statement(found, at, before):
    """Return where the semicolon of a statement that may be removed stands: a jump, an assignment or a call."""
    token = found[at]
    jump = token.text in JUMPS
    if before.text not in ("{", "}", ";") and not (jump and before.text in (")", "else", ":")):
        return None
    if not jump and (token.kind != "name" and token.text != "*"):
        return None
    following = found[at + 1] if at + 1 < len(found) else before
    declares = following.kind == "name" or (following.text == "*" and token.text != "*")
    if not jump and (declares or following.text in (":", ",") or token.text in ("for", "while", "if", "switch", "do")):
        return None
    depth, changes = 0, jump or following.text == "("
    for end in range(at, len(found)):
        text = found[end].text
        if text == ";" and depth == 0:
            return end if changes and end > at else None
        depth += (text in "([{") - (text in ")]}")
        changes = changes or (depth == 0 and text in ASSIGNMENTS)
        if depth < 0 or text == "{" and not jump and before.text == "}":
            return None
    return None
