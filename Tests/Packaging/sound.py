"""Tones in WAV files: made, and measured."""

import array
import math
import wave

RATE = 48_000


def write(file, hertz, seconds=4.0):
    """Writes a tone that begins and ends twice a second, as speech does: a steady one would be suppressed as noise."""
    samples = array.array("h")
    for index in range(int(RATE * seconds)):
        at = index / RATE % 0.5
        envelope = min(1.0, at / 0.02, (0.35 - at) / 0.02) if at < 0.35 else 0.0
        samples.append(int(16_000 * envelope * math.sin(2 * math.pi * hertz * index / RATE)))
    with wave.open(str(file), "wb") as output:
        output.setnchannels(1)
        output.setsampwidth(2)
        output.setframerate(RATE)
        output.writeframes(samples.tobytes())


def amplitude(samples, rate, hertz):
    """The amplitude of a tone in samples from -1 to 1, by Goertzel's algorithm."""
    turn = 2 * math.cos(2 * math.pi * hertz / rate)
    last, before = 0.0, 0.0
    for sample in samples:
        last, before = sample + turn * last - before, last
    power = last * last + before * before - turn * last * before
    return 2 * math.sqrt(max(power, 0.0)) / max(len(samples), 1)


def loudest(file, hertz):
    """The greatest amplitude of a tone in any tenth of a second of a WAV file."""
    with wave.open(str(file), "rb") as recorded:
        rate, channels = recorded.getframerate(), recorded.getnchannels()
        samples = array.array("h", recorded.readframes(recorded.getnframes()))[::channels]
    size = rate // 10
    pieces = (samples[start : start + size] for start in range(0, len(samples) - size, size))
    return max((amplitude([value / 32768 for value in piece], rate, hertz) for piece in pieces), default=0.0)
