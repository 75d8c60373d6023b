"""Tests of how policies are analysed."""
