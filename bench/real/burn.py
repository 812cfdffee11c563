"""burn.py TURNS LOG NAME: a fixed amount of work; then a line of LOG: `NAME microseconds-of-CPU began ended`, start-up
included, the last two in milliseconds since 1970."""
import os
import sys
from resource import RUSAGE_SELF, getrusage
from time import process_time_ns, time_ns

began = time_ns() - process_time_ns()
turns, log, name = sys.argv[1:]
for _ in range(int(turns)):
    pass
line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
used = getrusage(RUSAGE_SELF)
us = (used.ru_utime + used.ru_stime) * 1e6
os.write(line, b"%s %d %d %d\n" % (name.encode(), us, began // 1_000_000, time_ns() // 1_000_000))
os._exit(0)
