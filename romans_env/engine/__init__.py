"""What every compiled game uses: loops over games, random streams, chance, bit sets, seeds, threads."""
