"""Agents of Roma."""
