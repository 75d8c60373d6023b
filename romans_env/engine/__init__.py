"""What every compiled game uses: the compiler's decorators and their cache on disk, random streams, seeds, threads."""
