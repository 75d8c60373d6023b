"""Guards of speed: what is recorded, and a gate that fails when the engine has become slower."""
