"""Pattern tables: their folder, and how they are built, listed, opened and verified.

>>> import tempfile
>>> from puzzle15.tables import build_tables, verify
>>> folder = tempfile.mkdtemp()
>>> [table.path.name for table in build_tables("1-4/5-8", shape=(3, 3), tables=folder)]
['3x3-zero-aware-000f-01f0.p15', '3x3-zero-aware-00f0-0100.p15']
>>> [report.sound for report in verify(folder)]
[True, True]
"""

from typing import TYPE_CHECKING

from ..system.doors import on_demand

if TYPE_CHECKING:
    from .building import BuildPlan, build_tables, plan_build
    from .construction import build_in_memory, table_in_memory
    from .file import FORMATS, HEADER_BYTES, MULTI_TILE, AnyTable, TableFile, file_name
    from .folder import CHECKS, Folder, find_table, find_tables, folder_state, open_table, table_folder
    from .numbering import placement_count, placement_moves, placement_ranks, placements, placements_of
    from .partitions import (
        NAMED,
        Partition,
        carry,
        default_partitions,
        default_patterns,
        goal_cells,
        parse_partition,
        parse_patterns,
        partition_name,
        pattern_name,
        pattern_tiles,
    )
    from .pattern_table import COUNTS, MOST_SEARCHED, UNREACHED, PatternTable, search_placements
    from .verifying import Verification, verify
else:
    __getattr__, __dir__ = on_demand(
        __name__,
        building="BuildPlan build_tables plan_build",
        construction="build_in_memory table_in_memory",
        file="FORMATS HEADER_BYTES MULTI_TILE AnyTable TableFile file_name",
        folder="CHECKS Folder find_table find_tables folder_state open_table table_folder",
        numbering="placement_count placement_moves placement_ranks placements placements_of",
        partitions="NAMED Partition carry default_partitions default_patterns goal_cells parse_partition "
        "parse_patterns partition_name pattern_name pattern_tiles",
        pattern_table="COUNTS MOST_SEARCHED UNREACHED PatternTable search_placements",
        verifying="Verification verify",
    )

__all__ = [
    "AnyTable",
    "BuildPlan",
    "CHECKS",
    "COUNTS",
    "FORMATS",
    "Folder",
    "HEADER_BYTES",
    "MOST_SEARCHED",
    "MULTI_TILE",
    "NAMED",
    "Partition",
    "PatternTable",
    "TableFile",
    "UNREACHED",
    "Verification",
    "build_tables",
    "build_in_memory",
    "carry",
    "default_partitions",
    "default_patterns",
    "file_name",
    "find_table",
    "find_tables",
    "folder_state",
    "goal_cells",
    "open_table",
    "parse_partition",
    "parse_patterns",
    "partition_name",
    "pattern_name",
    "pattern_tiles",
    "placement_count",
    "placement_moves",
    "placement_ranks",
    "placements",
    "placements_of",
    "plan_build",
    "search_placements",
    "table_folder",
    "table_in_memory",
    "verify",
]
