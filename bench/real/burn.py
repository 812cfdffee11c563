"""burn.py TURNS LOG NAME: a fixed amount of work; then `NAME microseconds-of-CPU` as a line of LOG, start-up included."""
import os
import sys
from resource import RUSAGE_SELF, getrusage

turns, log, name = sys.argv[1:]
for _ in range(int(turns)):
    pass
line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
used = getrusage(RUSAGE_SELF)
os.write(line, b"%s %d\n" % (name.encode(), (used.ru_utime + used.ru_stime) * 1e6))
os._exit(0)
