"""A call between two phones of the packaged program, measured by what one of them has heard."""

import sound

HERTZ = 620
# A tone is written with an amplitude of 0.49.
HEARD = 0.2


def heard(machine, program, folder, user="guest", environment=""):
    """Has alice call bob at the hub of a machine, and play a tone; returns its greatest amplitude in what bob has heard."""
    sound.write(machine.root / "srv/tone.wav", HERTZ, 2)
    machine.run("chmod 644 /srv/tone.wav")
    bob = machine.type(f"{environment} {program} phone bob --answer --record {folder}/heard.wav", user)
    bob.waitFor("bob")
    machine.run(f"{environment} {program} phone alice --call bob --play /srv/tone.wav", user)
    assert bob.code() == 0, bob.text
    return sound.loudest(machine.root / folder.lstrip("/") / "heard.wav", HERTZ)
