from .reproduction import PAPERS as PAPERS
from .reproduction import Paper as Paper
from .reproduction import reproduce as reproduce
from .rows import Progress as Progress
from .rows import Row as Row
from .rows import format_rows as format_rows
