"""Fresh Debian machines: a root made by mmdebstrap, booted with its own systemd in namespaces, as root."""

import hashlib
import pathlib
import shutil
import subprocess
import time

from terminal import Typed, end_with_the_tests

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
WORK = REPOSITORY / ".build/packages"
ROOTS = WORK / "roots"

# A machine as its installer leaves it: systemd, sudo, xz, the authorities of certificates, and the lists of apt.
INSTALLED = "ca-certificates,sudo,systemd,systemd-sysv,dbus,xz-utils"
# Seconds after which a root is made anew, so that it has the mirror's present versions.
FRESH = 12 * 3600

# systemd wants one hierarchy of control groups; the machine of the tests may have an older arrangement.
BOOT = """
mount --make-rprivate /
umount -R /sys/fs/cgroup 2> /dev/null || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
"$@" &
wait $!
"""
# With all that it starts, a command ends with the program that has started it.
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", BOOT, "bash"]


class NoSuchRelease(Exception):
    """The mirrors of this machine do not have a release of Debian."""


def root(suite):
    """Returns the tar file of a fresh root; it is made where there is none of today."""
    ROOTS.mkdir(parents=True, exist_ok=True)
    kind = hashlib.sha256(INSTALLED.encode()).hexdigest()[:8]
    file = ROOTS / f"{suite}-{kind}.tar"
    if not file.exists() or time.time() - file.stat().st_mtime > FRESH:
        command = [REPOSITORY / "Tests/Packaging/root.sh", suite, file, "--variant=minbase", f"--include={INSTALLED}",
                   "--skip=cleanup/apt/lists"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode == 3:
            raise NoSuchRelease(made.stderr)
        assert made.returncode == 0, made.stderr
    return file


class Machine:
    """A running Debian with a user `ann`, who may use sudo, and a user `guest`, who may not.

    `namespace` is the path of its network. Only what runs with `uplink` reaches Debian's mirrors, by the network of the
    machine that runs the tests.
    """

    def __init__(self, name, suite, folder, namespace):
        self.name = name
        self.root = pathlib.Path(folder) / name
        self.running = []
        self.root.mkdir()
        subprocess.run(["tar", "xf", root(suite), "-C", self.root, "--numeric-owner"], check=True)
        # As Debian's installer writes it.
        (self.root / "etc/hostname").write_text(f"{name}\n")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n127.0.1.1 {name}\n")
        # What is installed must work on a machine that has never had it; Swift is none of Debian's packages.
        assert not list(self.root.glob("usr/**/libFoundation.so")) and not (self.root / "usr/bin/swift").exists()
        words = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot", "--directory", self.root,
                 "--machine", name, "--console=pipe", "--resolv-conf=copy-host", f"--network-namespace-path={namespace}"]
        self.log = open(self.root.parent / f"{name}.log", "wb")
        self.process = subprocess.Popen([*APART, *words], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        preexec_fn=end_with_the_tests)
        self.leader = self.findLeader()
        self.run("useradd --create-home --shell /bin/bash guest")
        self.run("useradd --create-home --shell /bin/bash ann && echo 'ann ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/ann")

    def findLeader(self):
        """Waits until systemd has started the machine; returns the ID of its first process."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            assert self.process.poll() is None, pathlib.Path(self.log.name).read_text()
            for process in descendants(self.process.pid):
                if self.isSystem(process):
                    return process
            time.sleep(0.2)
        raise AssertionError(f"{self.name} does not start: {pathlib.Path(self.log.name).read_text()}")

    @staticmethod
    def isSystem(process):
        """Indicates that a process is the first one of a system that has started."""
        try:
            if pathlib.Path(f"/proc/{process}/comm").read_text() != "systemd\n":
                return False
            words = ["nsenter", "-t", process, "-a", "-r", "-w", "systemctl", "is-system-running"]
            # While the system begins it may not answer at all.
            asked = subprocess.run(words, capture_output=True, text=True, timeout=5)
        except (FileNotFoundError, ProcessLookupError, subprocess.TimeoutExpired):
            return False
        return asked.stdout.strip() in ("running", "degraded")

    def words(self, command, user, uplink):
        """The words that run a command of a shell as a user in the machine."""
        enter = ["nsenter", "-t", self.leader, "-m", "-u", "-i", "-p", "-r", "-w"] + ([] if uplink else ["-n"])
        clean = ["env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm", "LANG=C.UTF-8"]
        home = "/root" if user == "root" else f"/home/{user}"
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [*enter, *clean, f"HOME={home}", f"USER={user}", *become, "bash", "-c", f"cd {home} && {command}"]

    def run(self, command, user="root", uplink=False, code=0, seconds=300):
        """Runs a command without a terminal; returns what it prints."""
        done = subprocess.run(self.words(command, user, uplink), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=seconds)
        assert code is None or done.returncode == code, f"{command}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout

    def type(self, command, user="ann", uplink=False, answers=()):
        """Starts a command on a terminal."""
        typed = Typed(self.words(command, user, uplink), answers)
        self.running.append(typed)
        return typed

    def waitFor(self, command, user="root", seconds=30):
        """Repeats a command until it succeeds; returns what it printed last."""
        end = time.monotonic() + seconds
        while True:
            done = subprocess.run(self.words(command, user, False), stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode == 0:
                return done.stdout
            assert time.monotonic() < end, f"{command}: {done.stdout}{done.stderr}"
            time.sleep(0.1)

    def copy(self, file, target):
        """Copies a file of ours into the machine; everybody may read it."""
        place = self.root / target.lstrip("/")
        shutil.copy(file, place)
        place.chmod(0o644)

    def close(self):
        """Switches it off."""
        for one in self.running:
            one.kill()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()


def descendants(process):
    """The processes that a process has started, and those that these have, as texts."""
    try:
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:
        return []
    return children + [one for child in children for one in descendants(child)]
