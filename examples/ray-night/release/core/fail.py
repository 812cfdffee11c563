"""Fails with a status of its own."""
import argparse
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--status", type=int, required=True)
sys.exit(parser.parse_args().status)
