"""With REQUIRE_ALL=1 a skipped test fails the whole run: .ci/run has everything that any test needs."""

import os

import pytest

_skipped: list[str] = []


def _required() -> bool:
    # Under xdist the workers' reports all reach the controller, and it alone decides.
    return os.environ.get("REQUIRE_ALL") == "1" and "PYTEST_XDIST_WORKER" not in os.environ


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        _skipped.append(f"{report.nodeid}: {reason.removeprefix('Skipped: ')}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if _required() and _skipped and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _required() and _skipped:
        terminalreporter.section("skipped, but REQUIRE_ALL=1 wants every test")
        for line in _skipped:
            terminalreporter.line(line)
