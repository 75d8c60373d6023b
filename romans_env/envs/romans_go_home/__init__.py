"""What only Romans Go Home! has among the environments: its OpenSpiel game."""
