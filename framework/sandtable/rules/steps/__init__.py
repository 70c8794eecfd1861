"""Any space of options as a row of small choices: for learners, and for people who click."""
