"""Cost model: statement counts by stage, scaling laws, and measured resources."""
