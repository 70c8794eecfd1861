"""Standing orders: answers to kinds of questions that a seat gives in advance (log format, section 4)."""
