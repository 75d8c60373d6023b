"""The engine that all compiled games share: loops over games, random streams, chance, bit sets, seeds, threads."""
