"""Machines' networks: namespaces on one bridge, as root."""

import os
import subprocess


def ip(*words):
    """Runs ip(8)."""
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


class Network:
    """A bridge in a namespace of its own, so that nothing of it is seen by the rest of the machine.

    `join` adds a namespace with an address in 10.77.0.0/24. The bridge leads nowhere else.
    """

    def __init__(self):
        self.tag = f"ch{os.getpid()}"
        self.switch = f"{self.tag}-switch"
        self.names = []
        ip("netns", "add", self.switch)
        ip("-n", self.switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", self.switch, "link", "set", "bridge", "up")

    def join(self, name, number):
        """Adds a namespace; returns its path and its address."""
        namespace = f"{self.tag}-{name}"
        ip("netns", "add", namespace)
        self.names.append(namespace)
        port = f"port{number}"
        ip("-n", self.switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        ip("-n", self.switch, "link", "set", port, "master", "bridge", "up")
        address = f"10.77.0.{number}"
        ip("-n", namespace, "address", "add", f"{address}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            ip("-n", namespace, "link", "set", link, "up")
        return f"/run/netns/{namespace}", address

    def close(self):
        """Removes the namespaces."""
        for name in [*self.names, self.switch]:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)
