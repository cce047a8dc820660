"""From nothing to a heard call between two people on two machines, by each way that docs/install.md names.

Each step is counted as it is done. People's browsers trust what people's browsers trust: nothing of these tests makes them
accept a certificate that they would refuse.
"""

import re

import pytest

import document
from internet import NAME, Internet
from people import Administrator, Person, Steps

SECTION = "From nothing to a call"
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


def typed(address):
    """The commands of the document's section: install, up, trust."""
    return [command.replace("ADDRESS", address) for command in document.commands(SECTION)]


def links(running):
    """The links that `callhub up` has printed: the owner's, and the other person's."""
    running.waitFor(r"Others open one of these links[^:]*:\n\n *https://\S+#i=\S+\n")
    return re.findall(r"https://\S+#i=\S+", running.text)


def link(text):
    """The link in what an invitation prints."""
    return re.search(r"https://\S+#i=\S+", text)[0]


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
    install, up, trust = typed(server.address)
    admin.run(install, uplink=True)
    running = admin.type(up)
    invitations = links(running)
    fingerprint = running.waitFor(r"SHA-256 ([0-9A-F:]{95})")[1]
    url = f"https://{server.address}"
    assert f"  {url}\n" in running.text
    assert alice.refusal(url) == "net::ERR_CERT_AUTHORITY_INVALID"
    for person, invitation in zip((alice, bob), invitations):
        person.trust(trust, fingerprint)
        person.open(invitation)
        person.register()
    talk(alice, bob, steps, {"server": 2, "trust": 2, "person": 4, "call": 2})


def test_by_a_public_name(boot, packages, meet, internet, steps):
    server = boot()
    public = internet(server)
    alice, bob = meet({NAME: server.address})
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    admin = Administrator(server, steps)
    install, up, _ = typed(NAME)
    admin.run(install, uplink=True)
    up += f" --domain {NAME}"
    assert f"`{up}`" in document.section(SECTION)
    running = admin.type(up)
    invitations = links(running)
    public.waitForCertificate(server)
    assert alice.refusal(f"https://{NAME}") == "net::ERR_CERT_AUTHORITY_INVALID"
    for person, invitation in zip((alice, bob), invitations):
        person.have(public.root)
        person.open(invitation)
        person.register()
    talk(alice, bob, steps, {"server": 2, "trust": 0, "person": 4, "call": 2})


def test_behind_caddy(boot, packages, meet, internet, steps):
    server = boot()
    public = internet(server)
    alice, bob = meet({NAME: server.address})
    server.copy(packages["deb"], f"/home/ann/{packages['deb'].name}")
    admin = Administrator(server, steps)
    install, up, _ = typed(NAME)
    admin.run(install + " caddy", uplink=True)
    admin.run(
        "sudo tee -a /etc/caddy/Caddyfile < /usr/share/doc/callhub/examples/proxies/Caddyfile && sudo systemctl reload caddy"
    )
    up += f" --behind-proxy --domain {NAME}"
    assert f"`{up}`" in document.section(SECTION)
    running = admin.type(up)
    invitations = links(running)
    public.waitForCertificate(server)
    for person, invitation in zip((alice, bob), invitations):
        person.have(public.root)
        person.open(invitation)
        person.register()
    talk(alice, bob, steps, {"server": 3, "trust": 0, "person": 4, "call": 2})


def test_by_the_container(podman, packages, meet, steps):
    alice, bob = meet()
    admin = Administrator(podman, steps)
    (podman.folder / packages["image"].name).symlink_to(packages["image"])
    admin.run(document.commands("Container")[0])
    url = f"https://{podman.address}:8443"
    invite = "podman exec callhub callhub invite {} --url " + url + " --data /var/lib/callhub"
    invitations = [link(admin.run(invite.format(kind))) for kind in ("owner", "account")]
    shown = podman.run("podman exec callhub callhub certificate show --data /var/lib/callhub")
    fingerprint = re.search(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", shown)[0]
    # It has no address without TLS: the first certificate is taken as it comes, and its fingerprint compared.
    trust = typed(f"{podman.address}:8443")[-1].replace("curl -sO http:", "curl -ksO https:")
    for person, invitation in zip((alice, bob), invitations):
        person.trust(trust, fingerprint)
        person.open(invitation)
        person.register()
    talk(alice, bob, steps, {"server": 3, "trust": 2, "person": 4, "call": 2})
