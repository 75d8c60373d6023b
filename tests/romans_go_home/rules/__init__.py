"""The rules, one file a section of the rulebook, one test or more a rule number."""
