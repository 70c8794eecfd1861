"""Playing by mail: two or more programs that exchange packets, each with its own copy of the log."""
