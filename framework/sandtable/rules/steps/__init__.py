"""Any space of options as a sequence of small choices: for learners, and for people who click."""
