"""Rule lists, learnt by partial trees."""
