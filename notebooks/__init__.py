"""The notebooks, and the modules in this folder that they import."""

import sys
from pathlib import Path

# Notebooks import the modules in their own folder; this lets the modules do so when imported as a package.
sys.path.append(str(Path(__file__).parent))
