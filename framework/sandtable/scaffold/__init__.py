"""The templates of ``sandtable new``: complete games to start from."""
