"""Transcripts of whole games, pinned."""
