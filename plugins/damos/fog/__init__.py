"""Who may know what: views, and deals of hidden information (determinization)."""
