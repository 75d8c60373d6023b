"""Policy networks: the file format, the agent that plays one, and exports to ONNX and other forms."""
