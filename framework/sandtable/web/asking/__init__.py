"""Questions as clicks: any space of options as small choices, as plain data for a page."""
