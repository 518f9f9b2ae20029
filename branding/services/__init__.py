"""What people do with the look of a business. Each change is one transaction with its entry in the trail."""
