"""Old games under other rules than those that they were played with."""
