"""Pattern tables: their folder, and how they are built, listed, opened and verified.

>>> import tempfile
>>> from puzzle15.tables import build_tables, verify
>>> folder = tempfile.mkdtemp()
>>> [table.path.name for table in build_tables("1-4/5-8", shape=(3, 3), tables=folder)]
['3x3-zero-aware-000f-01f0.p15', '3x3-zero-aware-00f0-0100.p15']
>>> [report.sound for report in verify(folder)]
[True, True]
"""

from ..system.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __path__)
