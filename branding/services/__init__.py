"""Services of brands. Each change is one transaction with its audit entry."""
