import itertools

import pytest

from hub import Hub

NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def hub(request):
    """A hub that the file's tests share; `SETTINGS`, `ACCOUNTS` and `ISSUER` of the file are its."""
    settings = getattr(request.module, "SETTINGS", None)
    accounts = getattr(request.module, "ACCOUNTS", None)
    issuer = getattr(request.module, "ISSUER", None)
    with Hub(settings, accounts, issuer.files if issuer else None) as hub:
        yield hub
        assert hub.is_running, f"the hub has ended: {hub.log[-2000:]}"


@pytest.fixture
def people():
    """Names that no other test has, so that tests can share a hub: `people("alice")`."""
    number = next(NUMBERS)
    return lambda name: f"{name} {number}"


def pytest_runtest_makereport(item, call):
    """A failure tells what the hub's log has said last."""
    if call.excinfo is not None and call.when == "call" and "hub" in item.funcargs:
        lines = item.funcargs["hub"].log.splitlines()[-15:]
        item.add_report_section("call", "the hub's log", "\n".join(lines))
