"""Commands of the dispute desk: a disputed turn re-fought, branched and ruled."""
