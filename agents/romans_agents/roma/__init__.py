"""The agents of Roma."""
