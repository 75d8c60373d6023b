"""Tests of Roma."""
