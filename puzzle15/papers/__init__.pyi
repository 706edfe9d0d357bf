from .reproduction import PAPERS as PAPERS
from .reproduction import Paper as Paper
from .reproduction import Progress as Progress
from .reproduction import Row as Row
from .reproduction import format_rows as format_rows
from .reproduction import format_summary as format_summary
from .reproduction import reproduce as reproduce
