import Glibc
import HubMedia
import HubMixing
import HubTestSupport
import HubWire
import Testing

/// The sound of a mixed conversation.
@Suite struct ConferenceMixerTests {
    @Test(arguments: [3, 8, 32])
    func `each party hears exactly the others`(count: Int) throws {
        let room = Room()
        let numbers = (1...UInt32(count)).map(\.self)
        for number in numbers {
            try room.add(
                number,
                hertz: Self.hertz(number),
                amplitude: 0.6 / Double(count),
                phase: Double(number * 7 % 20)
            )
        }
        try room.join(numbers)
        try room.run(75)
        for listener in [1, 2, UInt32(count)] {
            let heard = room.lastSecond(of: listener)
            let others = numbers.filter { $0 != listener }.map { Room.level(of: Self.hertz($0), in: heard) }
            let sent = 20 * log10(0.6 / Double(count))
            #expect(others.allSatisfy { abs($0 - sent) < 2 }, "\(listener) of \(count) hears \(others)")
            let own = Room.level(of: Self.hertz(listener), in: heard)
            #expect(own < -50 && own < sent - 25, "\(listener) of \(count) hears itself at \(own) dB")
        }
    }

    @Test func `a mix is 24,5 ms behind what arrives, wherever in a frame that is`() throws {
        let clip = try Speech.espeak("The quick brown fox jumps over the lazy dog.")
        var delays: [Double] = []
        for phase in stride(from: 0.25, to: 20, by: 2.5) {
            let room = Room()
            try room.add(1, phase: phase) { Self.frame($0, of: clip) }
            try room.add(2) { _ in [Int16](repeating: 0, count: 960) }
            try room.join([1, 2])
            try room.run(clip.count / 960)
            let heard = try #require(room.streams[2]?.samples)
            // The sender's encoder has a delay of 6.5 ms, which is not the mixer's.
            let lag = Sound.align(heard, to: clip).lag - 312
            delays.append(Double(lag) / 48 - phase)
        }
        #expect(delays.allSatisfy { abs($0 - 24.5) < 0.2 }, "\(delays)")
    }

    @Test func `a clip sounds mixed as it does unmixed`() throws {
        let clip = try Speech.espeak("The quick brown fox jumps over the lazy dog.")
        let room = Room()
        let party = try room.add(1, phase: 0) { Self.frame($0, of: clip) }
        try room.add(2) { _ in [Int16](repeating: 0, count: 960) }
        try room.join([1, 2])
        try room.run(clip.count / 960)
        var decoder = try OpusDecoder()
        var unmixed: [Int16] = []
        for packet in party.sent { unmixed += try decoder.decode(packet) }
        let heard = try #require(room.streams[2]?.samples)
        let ratio = Self.signalToNoise(unmixed, Array(heard.dropFirst(1_176)))
        #expect(ratio > 15, "\(ratio) dB")
    }

    @Test func `listeners of the same speakers share one encoder`() throws {
        let room = Room()
        for number in 1...8 as ClosedRange<UInt32> {
            try room.add(number, phase: 5) { frame in
                number <= 2 ? Self.tone(Self.hertz(number), frame) : [Int16](repeating: 0, count: 960)
            }
        }
        try room.join(Array(1...8))
        try room.run(50)
        let before = room.mixer.encodedPackets
        try room.run(50)
        // One for the six who are silent, and one for each of the two speakers.
        #expect(room.mixer.encodedPackets - before == 150)
        #expect((1...8).allSatisfy { room.streams[UInt32($0)]?.packets.count ?? 0 > 90 })
    }

    @Test func `a listener of one speaker hears on as the speaker joins and leaves the others`() throws {
        let room = Room()
        try room.add(1, hertz: 500)
        try room.add(2, phase: 3) { (50..<100).contains($0) ? Self.tone(900, $0) : [Int16](repeating: 0, count: 960) }
        for number in 3...4 as ClosedRange<UInt32> { try room.add(number) { _ in [Int16](repeating: 0, count: 960) } }
        try room.join([1, 2, 3, 4])
        try room.run(60)
        var before = room.mixer.encodedPackets
        try room.run(20)
        #expect(room.mixer.encodedPackets - before == 60)
        try room.run(70)
        before = room.mixer.encodedPackets
        try room.run(20)
        // 2, 3 and 4 hear the same again, and 1 nothing.
        #expect(room.mixer.encodedPackets - before == 20)
        let heard = try #require(room.streams[2]?.samples)
        #expect(Self.largestStep(of: Array(heard.dropFirst(4_800)), hertz: 500) < 1_000)
        // Of a steady tone each period is like the one before, also where the encoder is another one.
        let changes = zip(heard.dropFirst(9_600), heard.dropFirst(9_600 + 96)).map { abs(Int($1) - Int($0)) }
        #expect(changes.max() ?? 0 < 400, "\(changes.max() ?? 0)")
        #expect(Sound.gaps(Array(heard.dropFirst(4_800))).isEmpty)
    }

    @Test func `a mix names its speakers and their levels, loud and soft`() throws {
        let room = Room()
        try room.add(1, hertz: 500, amplitude: 0.5)
        try room.add(2, hertz: 700, amplitude: 0.05)
        try room.add(3, hertz: 900)
        try room.join([1, 2, 3])
        try room.run(30)
        let stream = try #require(room.streams[3])
        #expect(stream.contributors == [1, 2])
        #expect(stream.levels.map(\.attenuation) == [9, 29])
        #expect(stream.packets.allSatisfy { $0.ssrc == 0xF00D })
        #expect(stream.packets.map(\.sequenceNumber) == (0..<UInt16(stream.packets.count)).map(\.self))
    }

    @Test func `a party that the others do not hear is part of no mix, and hears them`() throws {
        let room = Room()
        for number in 1...3 as ClosedRange<UInt32> { try room.add(number, hertz: Self.hertz(number)) }
        try room.join([1, 2])
        try room.mixer.setListeners([ListenerID(1), ListenerID(3)], of: 2)
        try room.run(70)
        #expect(Room.level(of: Self.hertz(2), in: room.lastSecond(of: 3)) > -20)
        #expect(Room.level(of: Self.hertz(1), in: room.lastSecond(of: 3)) < -50)
        #expect(Room.level(of: Self.hertz(3), in: room.lastSecond(of: 1)) < -50)
    }

    @Test func `many loud parties do not clip, and one alone keeps its level`() throws {
        let room = Room()
        for number in 1...6 as ClosedRange<UInt32> { try room.add(number, hertz: Self.hertz(number), amplitude: 0.5) }
        try room.join(Array(1...6))
        try room.run(100)
        let heard = room.lastSecond(of: 1)
        let levels = (2...6).map { Room.level(of: Self.hertz($0), in: heard) }
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 1.5)
        // Clipping would make products of the tones.
        let product = 2 * Self.hertz(2) - Self.hertz(5)
        #expect(Room.level(of: abs(product), in: heard) < -45)
    }

    // MARK: Sounds

    static func hertz(_ number: UInt32) -> Double { Double(300 + 90 * number) }

    /// A frame of a tone whose phase goes on from frame to frame.
    static func tone(_ hertz: Double, _ frame: Int, amplitude: Double = 0.2) -> [Int16] {
        (0..<960).map { Int16(amplitude * 32_767 * sin(2 * .pi * hertz * Double(frame * 960 + $0) / 48_000)) }
    }

    static func frame(_ number: Int, of clip: [Int16]) -> [Int16] {
        let part = clip.dropFirst(number * 960).prefix(960)
        return Array(part) + [Int16](repeating: 0, count: 960 - part.count)
    }

    /// The ratio of a sound to the difference of another one, in decibels.
    static func signalToNoise(_ sound: [Int16], _ other: [Int16]) -> Double {
        var (signal, noise) = (0.0, 1.0)
        for (one, two) in zip(sound, other) {
            signal += Double(one) * Double(one)
            noise += (Double(one) - Double(two)) * (Double(one) - Double(two))
        }
        return 10 * log10(signal / noise)
    }

    /// The largest step from sample to sample beyond those of a tone of amplitude 0.2.
    static func largestStep(of samples: [Int16], hertz: Double) -> Int {
        let own = Int(0.2 * 32_768 * 2 * .pi * hertz / 48_000)
        return zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }.max().map { $0 - own } ?? 0
    }
}
