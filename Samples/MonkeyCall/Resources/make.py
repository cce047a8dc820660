"""Makes the ringtone and the icon of MonkeyCall: python3 Samples/MonkeyCall/Resources/make.py"""

import math
import pathlib
import struct
import sys
import wave
import zlib

RATE = 8_000
SIDE = 64
SAMPLES_PER_PIXEL = 4


def hoot(start_hertz, end_hertz, seconds):
    """A call whose pitch glides, with two overtones, that begins and ends softly."""
    count = int(RATE * seconds)
    phase = 0.0
    for index in range(count):
        part = index / count
        phase += 2 * math.pi * (start_hertz + (end_hertz - start_hertz) * part) / RATE
        sound = math.sin(phase) + 0.4 * math.sin(2 * phase) + 0.15 * math.sin(3 * phase)
        yield sound * math.sin(math.pi * part) ** 0.7 / 1.55


def silence(seconds):
    return [0.0] * int(RATE * seconds)


def ringtone():
    """Two low calls and two high ones, and a pause, repeated while the phone rings."""
    sound = []
    for start, end in [(420, 340), (420, 340), (620, 900), (620, 900)]:
        sound += hoot(start, end, 0.28)
        sound += silence(0.09)
    return sound + silence(0.8)


def write_wave(path, sound):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", round(16_000 * value)) for value in sound))


def is_inside(x, y, circle):
    center_x, center_y, radius = circle
    return (x - center_x) ** 2 + (y - center_y) ** 2 <= radius ** 2


def is_drawn(x, y):
    """Returns true if a point of the unit square is part of a monkey's head."""
    ears = [(0.16, 0.48, 0.14), (0.84, 0.48, 0.14)]
    head = (0.5, 0.5, 0.34)
    holes = [(0.39, 0.42, 0.055), (0.61, 0.42, 0.055), (0.46, 0.6, 0.02), (0.54, 0.6, 0.02)]
    mouth = is_inside(x, y, (0.5, 0.62, 0.16)) and not is_inside(x, y, (0.5, 0.59, 0.16)) and y > 0.66
    inner_ears = [(0.16, 0.48, 0.07), (0.84, 0.48, 0.07)]
    if is_inside(x, y, head):
        return not mouth and not any(is_inside(x, y, hole) for hole in holes)
    return any(is_inside(x, y, ear) for ear in ears) and not any(is_inside(x, y, ear) for ear in inner_ears)


def alpha(column, row):
    steps = [(step + 0.5) / SAMPLES_PER_PIXEL for step in range(SAMPLES_PER_PIXEL)]
    drawn = sum(is_drawn((column + dx) / SIDE, (row + dy) / SIDE) for dx in steps for dy in steps)
    return 255 * drawn // SAMPLES_PER_PIXEL ** 2


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def write_png(path):
    rows = b"".join(b"\0" + b"".join(bytes([0, alpha(column, row)]) for column in range(SIDE)) for row in range(SIDE))
    # Eight bits each of grey, which is black, and of alpha, which is what a template image is drawn by.
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 4, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    )


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    write_wave(folder / "monkeys.wav", ringtone())
    write_png(folder / "monkey.png")
