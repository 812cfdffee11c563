"""Runs inside a JVM: Python calls Java, Java's answer comes back, and what was seen is written down."""

import json
import os
import sys

import jep
from java.lang import System
from java.util import ArrayList

letters = ArrayList()
for letter in "jep":
    letters.add(letter)
word = "".join(letters)

result = {
    "jep": jep.__VERSION__,
    "word": word,
    "python": sys.version.split()[0],
    "java": System.getProperty("java.version"),
}
with open(os.path.join(os.environ.get("OUT", "."), "result.json"), "w") as file:
    json.dump(result, file, indent=1, sort_keys=True)

# Without a terminal the embedded interpreter would lose its buffer at exit.
print(word, jep.__VERSION__, flush=True)
