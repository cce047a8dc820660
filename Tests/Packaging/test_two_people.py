"""From nothing to a heard call between two people on two machines, by each way that docs/install.md names.

Each step is counted as it is done. People's browsers trust what people's browsers trust: nothing of these tests makes them
accept a certificate that they would refuse.
"""

import re

import pytest

from internet import NAME, Internet
from people import Administrator, Person, Steps

# In Hz; neither is in the tones of the phone itself.
ALICE, BOB = 620, 1000
# Seconds from the first step to a heard call.
LIMIT = 120


@pytest.fixture
def steps():
    return Steps()


@pytest.fixture
def meet(network, steps, folder):
    """Makes two people on the network: `meet(hosts)`."""
    people = []

    def make(hosts=None):
        for name, hertz in (("alice", ALICE), ("bob", BOB)):
            people.append(Person(name, hertz, network, 100 + len(people), folder, steps, hosts))
        return people

    yield make
    for one in people:
        one.close()


@pytest.fixture
def internet(network, folder):
    made = []

    def make(server):
        made.append(Internet(network, folder, server))
        return made[0]

    yield make
    for one in made:
        one.close()


def invite(admin, prefix, url):
    """Has the administrator invite the owner and another person; returns their links."""
    return [
        re.search(r"https://\S+#i=\S+", admin.run(f"{prefix}callhub invite account {more}--url {url}"))[0]
        for more in ("--admin ", "")
    ]


def talk(alice, bob, steps, limits):
    """Has one call the other: both hear the other, within the limits of steps and time."""
    alice.call("bob")
    alice.allowMicrophone()
    bob.answer()
    bob.allowMicrophone()
    levels = [alice.hears(BOB), bob.hears(ALICE)]
    seconds = steps.seconds
    print(f"\n{steps}\nheard after {seconds:.0f} s, with amplitudes of {levels[0]:.2f} and {levels[1]:.2f}")
    server, trust, people, call, questions = (steps.of(kind) for kind in ("server", "trust", "person", "call", "question"))
    assert {"server": len(server), "trust": len(trust), "person": len(people), "call": len(call)} == limits
    # The browser's own question, once on each device, which no server can answer for its user.
    assert len(questions) == 2
    assert seconds < LIMIT


def test_by_a_servers_own_certificate(boot, packages, meet, steps):
    server = boot()
    alice, bob = meet()
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    admin = Administrator(server, steps)
    admin.run(f"sudo apt install --yes ./{packages['deb'].name}", uplink=True)
    up = admin.type("sudo callhub up")
    fingerprint = up.waitFor(r"SHA-256 ([0-9A-F:]{95})")[1]
    url = f"https://{server.address}"
    assert f"  {url}\n" in up.text
    assert alice.refusal(url) == "net::ERR_CERT_AUTHORITY_INVALID"
    for person, link in zip((alice, bob), invite(admin, "sudo ", url)):
        person.trust(server.address, fingerprint)
        person.open(link)
        person.register()
    talk(alice, bob, steps, {"server": 4, "trust": 2, "person": 4, "call": 2})


def test_by_a_public_name(boot, packages, meet, internet, steps):
    server = boot()
    public = internet(server)
    alice, bob = meet({NAME: server.address})
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    admin = Administrator(server, steps)
    admin.run(f"sudo apt install --yes ./{packages['deb'].name}", uplink=True)
    admin.type(f"sudo callhub up --domain {NAME}").waitFor("The certificate is being ordered")
    public.waitForCertificate(server)
    assert alice.refusal(f"https://{NAME}") == "net::ERR_CERT_AUTHORITY_INVALID"
    for person, link in zip((alice, bob), invite(admin, "sudo ", f"https://{NAME}")):
        person.have(public.root)
        person.open(link)
        person.register()
    talk(alice, bob, steps, {"server": 4, "trust": 0, "person": 4, "call": 2})


def test_behind_caddy(boot, packages, meet, internet, steps):
    server = boot()
    public = internet(server)
    alice, bob = meet({NAME: server.address})
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    admin = Administrator(server, steps)
    admin.run(f"sudo apt install --yes caddy ./{packages['deb'].name}", uplink=True)
    # The package has started Caddy without our network.
    server.run("systemctl restart caddy")
    admin.run(
        "sudo tee -a /etc/caddy/Caddyfile < /usr/share/doc/callhub/examples/proxies/Caddyfile && sudo systemctl reload caddy"
    )
    admin.type(f"sudo callhub up --behind-proxy --domain {NAME}").waitFor(f"https://{NAME}")
    public.waitForCertificate(server)
    for person, link in zip((alice, bob), invite(admin, "sudo ", f"https://{NAME}")):
        person.have(public.root)
        person.open(link)
        person.register()
    talk(alice, bob, steps, {"server": 5, "trust": 0, "person": 4, "call": 2})


def test_by_the_container(podman, packages, meet, steps):
    alice, bob = meet()
    admin = Administrator(podman, steps)
    admin.run(f"podman load --input {packages['image']}")
    image = packages["image"].name.removesuffix("-image.tar").replace("-", ":")
    admin.run(f"podman run --detach --name callhub --publish 8443:8443 --volume callhub:/var/lib/callhub {image}")
    url = f"https://{podman.address}:8443"
    invited = invite(admin, "podman exec callhub ", f"{url} --data /var/lib/callhub")
    shown = podman.run("podman exec callhub callhub certificate show --data /var/lib/callhub")
    fingerprint = re.search(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", shown)[0]
    for person, link in zip((alice, bob), invited):
        person.trust(f"{podman.address}:8443", fingerprint, "https")
        person.open(link)
        person.register()
    talk(alice, bob, steps, {"server": 4, "trust": 2, "person": 4, "call": 2})
