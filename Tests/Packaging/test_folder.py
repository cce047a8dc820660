"""The folder that runs without installation, in fresh Debian machines."""

import re

import pytest

import calls
import document
from test_debian_package import done

SUITES = ["bookworm", "trixie"]


def unpack(server, packages, user):
    """Unpacks the folder in a user's home; returns its path."""
    file = packages["folder"]
    server.copy(file, f"/home/{user}/{file.name}")
    server.run(f"tar xf {file.name}", user)
    return f"/home/{user}/" + file.name.removesuffix(".tar.xz")


@pytest.mark.parametrize("suite", SUITES)
def test_a_user_without_rights_runs_it_and_calls(boot, packages, suite):
    server = boot("server", suite)
    folder = unpack(server, packages, "guest")
    # It can be moved, and the working directory does not matter.
    server.run(f"mkdir -p '/home/guest/another place' && mv {folder} '/home/guest/another place/callhub'", "guest")
    program = "'/home/guest/another place/callhub/callhub'"
    server.type(f"cd / && {program} serve", "guest").waitFor("listens on")
    assert calls.heard(server, program, "/home/guest") > calls.HEARD
    pid = server.run("for process in /proc/[0-9]*; do test \"$(cat $process/comm)\" = callhub && echo ${process#/proc/}; done; true",
                     "guest").split()[0]
    # All libraries but the C library's are the folder's, and no variable leads other programs to them.
    mapped = set(re.findall(r"/\S.*\.so[.\d]*$", server.run(f"cat /proc/{pid}/maps"), re.M))
    foreign = {path for path in mapped if "/another place/callhub/lib/callhub/" not in path}
    own = r"(libc|libm|libdl|libpthread|libresolv|librt|libnss_\w+|ld-linux-x86-64)\.so[.\d]*$"
    assert len(mapped) > len(foreign) and all(re.search(own, path) for path in foreign), foreign
    assert "LD_" not in server.run(f"tr '\\0' '\\n' < /proc/{pid}/environ")
    # Nothing is written but data, where the documents say.
    assert server.run(f"find / -xdev -user guest -newer /proc/{pid}/cmdline -type f -not -path '/home/*' -not -path '/proc/*'") == ""
    assert "callhub" in server.run("ls /home/guest/.local/share")


def test_each_library_has_its_licence(boot, packages):
    server = boot()
    folder = unpack(server, packages, "guest")
    libraries = server.run(f"ls {folder}/lib/callhub").split()
    licences = server.run(f"ls {folder}/share/doc/callhub/libraries").split()
    assert len(libraries) > 20 and len(licences) > 20
    assert server.run(f"find {folder} -not -user guest") == ""


def test_its_documents_lead_to_files_and_its_scenarios_run(boot, packages):
    server = boot()
    folder = unpack(server, packages, "guest")
    documents = f"{folder}/share/doc/callhub"
    names = server.run(f"cd {documents} && ls *.md").split()
    assert {"README.md", "install.md", "operations.md", "protocol.md", "scenarios.md"} <= set(names)
    links = re.compile(r"\]\(([^)\s#]+)")
    targets = {path for name in names for path in links.findall(server.run(f"cat {documents}/{name}")) if "://" not in path}
    assert len(targets) > 20
    server.run(f"cd {documents} && ls -d {' '.join(sorted(targets))}")
    scenario = f"{documents}/examples/scenarios/groups/swap-and-merge.scenario"
    assert "passed" in server.run(f"{folder}/callhub scenario run {scenario}", "guest")


def test_the_commands_of_its_section_work(boot, packages):
    server = boot()
    file = packages["folder"]
    server.copy(file, f"/home/ann/{file.name}")
    place = "."
    served = False
    for command in document.commands("Folder"):
        if command.startswith("cd "):
            place = command[3:]
        elif command == "./callhub serve":
            hub = server.type(f"cd {place} && {command}")
            hub.waitFor("listens on")
            server.run(f"./{place}/callhub health" if place != "." else "./callhub health", "ann")
            hub.interrupt()
            hub.waitFor("info stopped")
            # The next commands are typed beside the folder.
            place, served = ".", True
        else:
            done(server.type(f"cd {place} && {command}"))
    assert served
    server.waitFor("/opt/callhub/callhub health", "guest")
    assert server.run("systemctl is-enabled callhub").strip() == "enabled"
