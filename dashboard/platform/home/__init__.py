"""Home pages: what needs a person's attention now, on the platform and inside a business."""
