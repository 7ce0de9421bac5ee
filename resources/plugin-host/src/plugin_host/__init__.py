"""Runs tools, filters, pipes and actions of a requirement set in one process; PROTOCOL.md says how it is spoken to."""

VERSION = "1.0.0"
PROTOCOL = 1
