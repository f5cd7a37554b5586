"""Papers' experiments, one module each: their figures beside ours."""
