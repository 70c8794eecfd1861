"""Board drawing as SVG and as text, and narration of logs."""
