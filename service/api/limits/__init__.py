"""What one client may ask for: budgets that all workers share, and the responses about them."""
