"""Products, resources, contexts, signals and files of a site: one mechanism, and a declaration for each kind."""
