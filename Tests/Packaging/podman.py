"""Podman with storage of its own, also where control groups are arranged in an older way, or limits may not be raised."""

import resource
import subprocess
import time

from machine import APART, descendants
from terminal import Typed, end_with_the_tests


class Podman:
    """Runs podman's commands in a mount namespace, and in a network namespace."""

    def __init__(self, folder, namespace, address):
        self.folder = folder
        self.namespace = namespace
        self.address = address
        (folder / "bin").mkdir(parents=True)
        limits = [f"{name}={min(most, resource.getrlimit(number)[1])}:{min(most, resource.getrlimit(number)[1])}"
                  for name, number, most in (("nofile", resource.RLIMIT_NOFILE, 4096), ("nproc", resource.RLIMIT_NPROC, 4096))]
        # Control groups are left alone, so a container has the network that the namespace is: nothing is to be published.
        run = ["--cgroups", "disabled", "--network", "host"] + [word for limit in limits for word in ("--ulimit", limit)]
        wrapper = folder / "bin/podman"
        wrapper.write_text(f"""#!/bin/bash
podman=(/usr/bin/podman --root {folder}/storage --runroot {folder}/run --storage-driver vfs --cgroup-manager cgroupfs)
if [ "$1" = run ]; then shift; exec "${{podman[@]}}" run {' '.join(run)} "$@"; fi
exec "${{podman[@]}}" "$@"
""")
        wrapper.chmod(0o755)
        self.keeper = subprocess.Popen([*APART, "sleep", "infinity"], stdin=subprocess.DEVNULL, preexec_fn=end_with_the_tests)
        # Bash, and when the mounts are made, what it waits for.
        while len(inside := descendants(self.keeper.pid)) < 2:
            assert self.keeper.poll() is None
            time.sleep(0.05)
        self.inside = inside[0]

    def words(self, command):
        return ["nsenter", "-t", self.inside, "-m", "-p", f"--net={self.namespace}", "env",
                f"PATH={self.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm", "bash", "-c", f"cd {self.folder} && {command}"]

    def run(self, command, code=0):
        """Runs a command; returns what it prints."""
        done = subprocess.run(self.words(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=120)
        assert code is None or done.returncode == code, f"{command}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout

    def waitFor(self, command, seconds=30):
        """Repeats a command until it succeeds."""
        end = time.monotonic() + seconds
        while subprocess.run(self.words(command), stdin=subprocess.DEVNULL, capture_output=True).returncode != 0:
            assert time.monotonic() < end, f"{command}: {self.run(command, code=None)}"
            time.sleep(0.1)

    def type(self, command, answers=(), **_):
        """Starts a command on a terminal."""
        return Typed(self.words(command), answers)

    def close(self):
        """Ends its containers."""
        self.run("podman rm --all --force --time 0", code=None)
        self.keeper.kill()
        self.keeper.wait()
