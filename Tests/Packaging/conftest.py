"""What the tests of the packages share: the packages, a network, and machines on it."""

import ctypes
import os
import pathlib
import re
import subprocess
import tempfile

import pytest

from machine import REPOSITORY, WORK, Machine, NoSuchRelease
from network import Network
from podman import Podman


#: The folder of the machines, in memory: their many files are gone at once, and nothing of them outlives the tests.
MACHINES = pathlib.Path("/run/callhub-machines")


def pytest_configure():
    assert os.geteuid() == 0, "These tests boot machines in namespaces, which root alone may do."
    CLONE_NEWNS = 0x20000
    assert ctypes.CDLL(None).unshare(CLONE_NEWNS) == 0
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    # What systemd-nspawn leaves behind when it is killed keeps it from starting again.
    for folder in (MACHINES, pathlib.Path("/run/systemd/nspawn")):
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)


def version():
    text = (REPOSITORY / "Sources/CommandLineTools/Commands/ProgramVersion.swift").read_text()
    return re.search(r'callHubVersion = "(.*)"', text)[1]


@pytest.fixture(scope="session")
def packages():
    """The packages by their kinds, as `make deb tarball image` has made them."""
    architecture = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout.strip()
    return {
        "deb": WORK / f"callhub_{version()}_{architecture}.deb",
        "folder": WORK / f"callhub-{version()}-linux-{os.uname().machine}.tar.xz",
        "image": WORK / f"callhub-{version()}-image.tar",
    }


@pytest.fixture
def folder():
    """A folder of the test's own; its path is short, as podman wants it."""
    with tempfile.TemporaryDirectory(dir=MACHINES) as path:
        yield pathlib.Path(path)


@pytest.fixture
def network():
    """A network of the test's own."""
    made = Network()
    yield made
    made.close()


@pytest.fixture
def boot(network, folder):
    """Boots machines: `boot(name, suite)`."""
    machines = []

    def start(name="server", suite="bookworm"):
        namespace, address = network.join(name, len(machines) + 1)
        try:
            made = Machine(name, suite, folder, namespace)
        except NoSuchRelease as reason:
            pytest.skip(str(reason))
        made.address = address
        machines.append(made)
        return made

    yield start
    for made in machines:
        made.close()


@pytest.fixture
def podman(network, folder):
    """Podman on a machine of the network; `address` is the machine's."""
    namespace, address = network.join("server", 1)
    made = Podman(folder / "podman", namespace, address)
    yield made
    made.close()


@pytest.fixture(scope="session")
def older(packages):
    """The Debian package with a lower version, another setting in its file, and a program that says so."""
    folder = MACHINES / "older"
    folder.mkdir()
    subprocess.run(["dpkg-deb", "--raw-extract", packages["deb"], folder / "tree"], check=True)
    control = folder / "tree/DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {version()}", "Version: 0.0.1"))
    settings = folder / "tree/etc/callhub/callhub.json5"
    settings.write_text(settings.read_text() + "// Of version 0.0.1.\n")
    file = folder / "callhub_0.0.1.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder / "tree", file], check=True,
                   capture_output=True)
    return file
