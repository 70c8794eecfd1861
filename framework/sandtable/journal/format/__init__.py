"""The bytes of a log: lines, hash chain, header, openings and limits (replays/README.md)."""
