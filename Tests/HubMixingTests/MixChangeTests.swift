import HubMedia
import HubMixing
import HubTestSupport
import HubWire
import Testing

/// Changes of a conversation between packets passed on and a mix.
@Suite struct MixChangeTests {
    @Test func `a mix begins with the first packet that is not passed on, and ends with the last before them`() throws {
        // The first ten packets are passed on, then twenty mixed, and then passed on again.
        let room = Room()
        try room.add(1, phase: 18) { ConferenceMixerTests.tone(1_000, $0, amplitude: 0.1) }
        try room.add(2) { _ in [Int16](repeating: 0, count: 960) }
        try room.run(10)
        try room.join([1, 2])
        try room.run(20)
        try room.part([1, 2], drains: true)
        try room.run(20)
        let heard = try #require(room.streams[2]?.samples)
        let loud = Sound.levels(heard, window: 48).map { $0 > 0.02 }
        let first = try #require(loud.firstIndex(of: true))
        let last = try #require(loud.lastIndex(of: true))
        // Packets 10 to 29: 20 of 20 ms, which begin to arrive at 218 ms; neither more nor less, but for the fades.
        #expect((0..<16).contains(Double(first) - (218 + 24.5)), "\(first)")
        #expect((-1..<7).contains(218 + 24.5 + 400 - Double(last + 1)), "\(last)")
    }

    @Test func `who is held is heard no more, and it does not click`() throws {
        let room = Room()
        for number in 1...3 as ClosedRange<UInt32> { try room.add(number, hertz: ConferenceMixerTests.hertz(number)) }
        try room.join([1, 2, 3])
        try room.run(50)
        try room.mixer.setListeners([], of: 1)
        try room.run(50)
        let heard = try #require(room.streams[3]?.samples)
        let held = ConferenceMixerTests.hertz(1)
        let cut = 51 * 960
        #expect(Room.level(of: held, in: Array(heard[(cut - 9_600)..<(cut - 960)])) > -16)
        #expect(Room.level(of: held, in: Array(heard[(cut + 960)..<(cut + 10_560)])) < -50)
        let steps = zip(heard.dropFirst(4_800), heard.dropFirst(4_801)).map { abs(Int($1) - Int($0)) }
        #expect(steps.max() ?? 0 < 1_500)
    }

    @Test func `random merges and splits for a minute neither interrupt nor click`() throws {
        var seed: UInt64 = 7
        func random(_ below: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % below
        }
        let room = Room()
        for number in 1...5 as ClosedRange<UInt32> {
            let hertz = ConferenceMixerTests.hertz(number)
            try room.add(number, hertz: hertz, amplitude: 0.1, phase: Double(number * 3))
        }
        try room.run(10)
        // 1 and 2 stay; the others come and go.
        var members: Set<UInt32> = [1, 2]
        try room.join([1, 2])
        while room.frame < 3_000 {
            try room.run(5 + random(40))
            let number = UInt32(3 + random(3))
            if members.remove(number) != nil {
                try room.mixer.setListeners([], of: number)
            } else {
                members.insert(number)
            }
            try room.join(members.sorted())
        }
        for listener in [1, 2] as [UInt32] {
            let heard = Array(try #require(room.streams[listener]?.samples).dropFirst(12 * 960 + 480))
            let gaps = Sound.gaps(heard, quieterThan: 0.01, window: 240)
            #expect(gaps.isEmpty, "\(gaps.prefix(5))")
            // Four tones of amplitude 0.1 and less than 800 Hz step by 1,400 at most.
            let steps = zip(heard, heard.dropFirst()).map { abs(Int($1) - Int($0)) }
            let largest = steps.enumerated().max { $0.element < $1.element }
            #expect(largest?.element ?? 0 < 2_000, "\(String(describing: largest))")
        }
    }

    @Test func `frames that the mixer leaves out add no delay for long`() throws {
        let room = Room()
        try room.add(1, phase: 7) { ConferenceMixerTests.tone($0 < 160 ? 440 : 1_760, $0) }
        try room.add(2) { _ in [Int16](repeating: 0, count: 960) }
        try room.join([1, 2])
        try room.run(100)
        try room.run(10, isStalled: true)
        try room.run(80)
        let heard = try #require(room.streams[2]?.samples)
        // The second tone begins at its packet's arrival, 24.5 ms of the mixer, and 6.5 ms of its sender's encoder.
        let start = 48 * (7 + 160 * 20 + 31)
        let (before, after) = (heard[(start - 3_000)..<(start - 600)], heard[(start + 960)..<(start + 3_360)])
        #expect(Room.level(of: 1_760, in: Array(before)) < -35)
        #expect(Room.level(of: 1_760, in: Array(after)) > -17)
    }

    @Test func `a late packet is concealed, and after a burst the delay comes back`() throws {
        let clip = ConferenceMixerTests.tone
        let room = Room()
        let party = try room.add(1, phase: 4) { clip(440, $0, 0.2) }
        party.delay = { (600..<606).contains($0) ? Int64(606 - $0) * 20_000_000 : 0 }
        try room.add(2) { _ in [Int16](repeating: 0, count: 960) }
        try room.join([1, 2])
        try room.run(660)
        let statistics = try #require(room.mixer.statistics(of: 1))
        #expect(statistics.delayMilliseconds < 30, "\(statistics.delayMilliseconds)")
        #expect(room.streams[2]?.packets.count ?? 0 > 650)
    }
}
