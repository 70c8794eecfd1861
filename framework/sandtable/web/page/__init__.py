"""The page of a table and the lobby: HTML, scripts and styles, served unchanged."""
