"""Boards as films: their changes from record to record, as one viewer sees them."""
