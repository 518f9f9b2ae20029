"""The worker that gunicorn runs: only complete requests reach the threads. It imports none of our other code."""
