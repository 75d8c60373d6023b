"""Policy networks: their file format, the agent that plays a policy, and exports to ONNX and JSON."""
