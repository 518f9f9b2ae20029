"""Items in and out of the table by the file: offline work, which no request reaches."""
