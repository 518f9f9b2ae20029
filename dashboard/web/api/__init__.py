"""The API: problems, the declaration of endpoints, and the documents that are generated from it."""

from dashboard.web.api.problems import CONTENT_TYPE, PREFIX, PROBLEMS, domain_error_json, error_json, for_api

__all__ = ["CONTENT_TYPE", "PREFIX", "PROBLEMS", "domain_error_json", "error_json", "for_api"]
