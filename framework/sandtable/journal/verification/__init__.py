"""Rerunning the rules and comparing every record: the first difference, its possible cause, and embedded battles."""
