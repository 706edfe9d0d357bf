from ._reproduction import PAPERS as PAPERS
from ._reproduction import Paper as Paper
from ._reproduction import Row as Row
from ._reproduction import reproduce as reproduce
