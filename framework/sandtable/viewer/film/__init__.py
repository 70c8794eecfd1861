"""Boards as films: what changes on them from record to record, as one viewer sees it."""
