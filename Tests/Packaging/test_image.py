"""The container image, by podman."""

import json
import re

import document
import sound
from calls import HEARD, HERTZ
from terminal import Typed
from test_debian_package import answered, done

DATA = "--data /var/lib/callhub"


def name_of(packages):
    return packages["image"].name.removesuffix("-image.tar").replace("-", ":")


def test_the_commands_of_its_section_work_and_its_state_stays(podman, packages):
    (podman.folder / packages["image"].name).symlink_to(packages["image"])
    found = document.commands("Container")
    (podman.folder / "callhub.json5").write_text('{auth: {mode: "accounts"}, listen: {host: "*", port: 8443}, tls: {own: true}}\n')
    for command in found:
        asks = "account add" in command
        if command.startswith("podman run") and "callhub.json5" in command:
            # The port is the first one's; its state goes on.
            podman.run("podman stop callhub && podman rm callhub")
            command = command.replace("--detach", "--detach --name callhub")
        if "healthcheck" in command:
            podman.waitFor("podman exec callhub callhub health https://localhost:8443")
        typed = podman.type(command, answered("password", "again") if asks else [])
        done(typed)
        assert not typed.answers, typed.text
    podman.waitFor("podman exec callhub callhub health https://localhost:8443")
    assert "alice" in podman.run(f"podman exec callhub callhub account list {DATA}")


def test_it_has_no_right_and_asks_for_its_health(podman, packages):
    podman.run(f"podman load --input {packages['image']}")
    image = json.loads(podman.run(f"podman inspect {name_of(packages)}"))[0]
    assert image["User"] == "10001:10001"
    assert image["Healthcheck"]["Test"] == ["CMD", "/usr/bin/callhub", "health", "https://localhost:8443"]
    assert list(image["Config"]["Volumes"]) == ["/var/lib/callhub"]
    podman.run(f"podman run --detach --name callhub {name_of(packages)}")
    podman.waitFor("podman healthcheck run callhub")
    status = podman.run("podman exec callhub cat /proc/1/status")
    assert re.search(r"^Uid:\t10001\t10001\t10001\t10001$", status, re.M)
    assert re.search(r"^CapEff:\t0{16}$", status, re.M) and re.search(r"^CapPrm:\t0{16}$", status, re.M)
    # No program in it gives rights to its user.
    assert podman.run("podman exec callhub sh -c 'find / -xdev -perm /6000 -type f 2> /dev/null'", code=None) == ""
    podman.run("podman stop --time 40 callhub")
    assert json.loads(podman.run("podman inspect callhub"))[0]["State"]["ExitCode"] == 0


def test_it_relays_a_call(podman, packages):
    podman.run(f"podman load --input {packages['image']}")
    (podman.folder / "open.json5").write_text('{listen: {host: "127.0.0.1", port: 8080}}\n')
    sound.write(podman.folder / "tone.wav", HERTZ, 2)
    podman.run(f"podman run --detach --name callhub --volume ./open.json5:/etc/callhub/callhub.json5:ro "
               f"--volume ./tone.wav:/tone.wav:ro {name_of(packages)}")
    podman.waitFor("podman exec callhub callhub health")
    bob: Typed = podman.type("podman exec -it callhub callhub phone bob --answer --record /var/lib/callhub/heard.wav")
    bob.waitFor("bob")
    podman.run("podman exec callhub callhub phone alice --call bob --play /tone.wav")
    assert bob.code() == 0, bob.text
    podman.run("podman cp callhub:/var/lib/callhub/heard.wav heard.wav")
    assert sound.loudest(podman.folder / "heard.wav", HERTZ) > HEARD
