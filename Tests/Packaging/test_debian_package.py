"""The Debian package in fresh Debian machines."""

import re
import subprocess

import calls
import document

PASSWORD = "eleven green bottles"
# What apt, dpkg and the program ask: whether to go on, whose settings to keep (the default: one's own), a password twice.
ANSWERS = {"continue": (r"\[Y/n\]", "y"), "settings": (r"\[default=N\]", ""), "password": (r"Password of alice: $", PASSWORD),
           "again": (r"again: $", PASSWORD)}


def answered(*names):
    return [ANSWERS[name] for name in names]


def done(typed, seconds=180):
    """Waits until a typed command has succeeded; returns what it printed."""
    assert typed.code(seconds) == 0, typed.text
    return typed.text


def test_lintian_finds_neither_error_nor_warning(packages):
    found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--no-cfg", packages["deb"]],
                           capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_it_is_installed_upgraded_removed_and_purged(boot, packages, older):
    server = boot()
    for file in (packages["deb"], older):
        server.copy(file, f"/home/ann/{file.name}")
    before = server.run("getent passwd")
    done(server.type(f"sudo apt install --yes ./{older.name}", uplink=True))
    # Nobody has asked for a service yet.
    assert "disabled" in server.run("systemctl is-enabled callhub", code=None)
    assert "inactive" in server.run("systemctl is-active callhub", code=None)
    server.run("systemctl enable --now callhub")
    server.run("callhub health", "guest")
    server.run(f"echo '{PASSWORD}' | callhub account add alice --password-stdin --data /var/lib/callhub")
    pid = server.run("systemctl show --property MainPID --value callhub").strip()
    assert server.run(f"ps -o user= -p {pid}", code=None).strip() not in ("root", "ann", "guest")

    # The settings have changed here and in the package: dpkg asks, and keeps one's own unless it is told otherwise.
    settings = server.root / "etc/callhub/callhub.json5"
    mine = settings.read_text().replace("auth: {", "log: {level: \"debug\"}, auth: {")
    settings.write_text(mine)
    upgrade = server.type(f"sudo apt install ./{packages['deb'].name}", uplink=True, answers=answered("settings"))
    done(upgrade)
    assert not upgrade.answers, upgrade.text
    assert settings.read_text() == mine
    server.waitFor("callhub health", "guest")
    assert server.run("systemctl show --property MainPID --value callhub").strip() != pid
    assert "alice" in server.run("callhub account list --data /var/lib/callhub")
    assert server.run("dpkg --audit") == ""

    server.run("apt-get remove --yes callhub")
    assert "inactive" in server.run("systemctl is-active callhub", code=None)
    assert settings.exists() and server.run("ls /var/lib/callhub/") != ""
    assert not (server.root / "usr/bin/callhub").exists() and not (server.root / "usr/share/callhub").exists()
    server.run("apt-get purge --yes callhub")
    left = server.run("find / -xdev -iname '*callhub*' -not -path '/home/*' -not -path '/proc/*' -not -path '/var/cache/apt/*'"
                      " -not -path '/var/lib/apt/*'", code=None)
    assert left == ""
    assert server.run("getent passwd") == before


def test_debian_13_refuses_it_as_its_libraries_are_newer(boot, packages):
    server = boot("server", "trixie")
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    apt = server.type(f"sudo apt install --yes ./{packages['deb'].name}", uplink=True)
    assert apt.code() == 100 and "libwebsockets17" in apt.text
    assert server.run("dpkg --audit") == "" and not (server.root / "usr/bin/callhub").exists()


def test_a_user_without_rights_runs_it_and_calls(boot, packages):
    server = boot()
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    done(server.type(f"sudo apt install --yes ./{packages['deb'].name}", uplink=True))
    server.type("callhub serve", "guest").waitFor("listens on")
    assert calls.heard(server, "callhub", "/home/guest") > calls.HEARD
    page = server.run("exec 3<>/dev/tcp/localhost/8080; "
                      "printf 'GET / HTTP/1.0\\r\\nHost: localhost:8080\\r\\n\\r\\n' >&3; cat <&3", "guest")
    assert "<title>CallHub</title>" in page


def test_up_makes_a_service_for_others_in_the_place_of_its_own(boot, packages):
    server = boot()
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    done(server.type(f"sudo apt install --yes ./{packages['deb'].name}", uplink=True))
    server.run("systemctl enable --now callhub")
    refused = server.type("sudo callhub up --install --no-qr")
    assert refused.code() == 2 and "the package's service callhub is in use already" in refused.text
    server.run("systemctl disable --now callhub")
    installed = done(server.type("sudo callhub up --install --no-qr"))
    assert "/etc/systemd/system/callhub.service was written" in installed and "#i=" in installed
    server.waitFor("callhub health https://localhost", "guest")
    # An upgrade goes on with it, and a purge leaves nothing.
    done(server.type(f"sudo apt install --yes --reinstall ./{packages['deb'].name}", uplink=True))
    server.waitFor("callhub health https://localhost", "guest")
    server.run("apt-get purge --yes callhub")
    assert "inactive" in server.run("systemctl is-active callhub", code=None)
    assert not (server.root / "etc/systemd/system/callhub.service").exists()


def test_the_commands_of_its_section_work(boot, packages):
    server = boot()
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    answers = {"apt install": ["continue"], "apt remove": ["continue"], "apt purge": ["continue"], "account add": ["password", "again"]}
    found = document.commands("Debian package")
    for command in found:
        names = next((names for part, names in answers.items() if part in command), [])
        if "restart callhub" in command:
            take_slashes_away(server)
        typed = server.type(command, uplink="apt" in command, answers=answered(*names))
        done(typed)
        assert not typed.answers, typed.text
        if "restart callhub" in command:
            server.waitFor("callhub health https://localhost", "guest")
    assert [command.split()[1:3] for command in found][-1] == ["apt", "purge"]
    assert not (server.root / "etc/callhub").exists()


def take_slashes_away(server):
    """Changes the settings as the section says."""
    settings = server.root / "etc/callhub/callhub.json5"
    changed = re.sub(r"// (listen|tls|http):", r"\1:", settings.read_text())
    assert changed.count(" listen:") == changed.count(" tls:") == changed.count(" http:") == 1
    settings.write_text(changed)
