"""Files and data damaged at random, by fixed seeds: refused in one line, or read as they were."""
