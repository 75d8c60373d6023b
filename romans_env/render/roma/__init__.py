"""Drawing and texts of Roma."""
