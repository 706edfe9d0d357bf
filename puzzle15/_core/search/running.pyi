# Only other extension modules call it: see running.pxd.
