"""With REQUIRE_ALL=1 a skipped test fails the whole run: .ci/run provides everything that a test needs."""

import os

import pytest

_skipped: list[str] = []


def _all_required() -> bool:
    # With xdist only the controller decides: it receives the reports of all workers.
    return os.environ.get("REQUIRE_ALL") == "1" and "PYTEST_XDIST_WORKER" not in os.environ


def _record_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skipped.append(f"{report.nodeid}: {reason.removeprefix('Skipped: ')}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _record_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _record_skip(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _all_required() and _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _all_required() and _skipped:
        terminalreporter.section("skipped tests, although REQUIRE_ALL=1 requires every test")
        for line in _skipped:
            terminalreporter.line(line)
