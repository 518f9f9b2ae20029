"""Runs a management command whose calls to the table lose some replies, at random."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from tests.faults import bad_network, lose_reply

if __name__ == "__main__":
    with bad_network(seed=os.getpid()) as network:
        network.add_random_fault(float(os.environ["LOST_REPLIES"]), lose_reply)
        execute_from_command_line(["manage.py", *sys.argv[1:]])
