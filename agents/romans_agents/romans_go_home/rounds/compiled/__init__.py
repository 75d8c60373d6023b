"""The compiled functions of the round search; in a separate folder, so that other changes do not recompile them."""
