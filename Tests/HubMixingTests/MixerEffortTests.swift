import HubMedia
import HubMixing
import HubWire
import Testing

/// Less work of a mixer that is behind its schedule.
@Suite struct MixerEffortTests {
    @Test func `restricted to three speakers it takes the loudest, and keeps them`() throws {
        let room = Room()
        for number in 1...6 as ClosedRange<UInt32> {
            let amplitude = number <= 3 ? 0.1 : 0.02
            try room.add(number, hertz: ConferenceMixerTests.hertz(number), amplitude: amplitude)
        }
        room.mixer.effort = .threeSpeakers
        try room.join(Array(1...6))
        try room.run(100)
        let heard = room.lastSecond(of: 6)
        for number in 1...3 as ClosedRange<UInt32> {
            #expect(Room.level(of: ConferenceMixerTests.hertz(number), in: heard) > -23)
        }
        for number in 4...5 as ClosedRange<UInt32> {
            #expect(Room.level(of: ConferenceMixerTests.hertz(number), in: heard) < -50)
        }
    }

    @Test func `two conversations are restricted apart from each other`() throws {
        let room = Room()
        for number in 1...8 as ClosedRange<UInt32> {
            try room.add(number, hertz: ConferenceMixerTests.hertz(number), amplitude: number <= 4 ? 0.2 : 0.02)
        }
        room.mixer.effort = .threeSpeakers
        try room.join([1, 2, 3, 4])
        try room.join([5, 6, 7, 8])
        try room.run(70)
        let heard = room.lastSecond(of: 8)
        #expect((5...7).allSatisfy { Room.level(of: ConferenceMixerTests.hertz($0), in: heard) > -37 })
    }

    @Test(arguments: [(MixerEffort.longPackets, 1_920), (.longestPackets, 2_880)])
    func `packets become longer and shorter again without a gap`(effort: MixerEffort, duration: Int) throws {
        let room = Room()
        try room.add(1, hertz: 500)
        try room.add(2, hertz: 700)
        try room.join([1, 2])
        try room.run(50)
        room.mixer.effort = effort
        try room.run(60)
        room.mixer.effort = .full
        try room.run(50)
        let stream = try #require(room.streams[2])
        #expect(stream.durations.filter { $0 == duration }.count == 60 * 960 / duration)
        #expect(stream.durations.last == 960)
        let steps = zip(stream.packets, stream.packets.dropFirst()).map { $1.timestamp - $0.timestamp }
        #expect(steps.map { Int($0) } == stream.durations.dropLast())
        let heard = Array(stream.samples.dropFirst(stream.samples.count - 140 * 960))
        #expect(heard.count > 100_000)
        let largest = zip(heard, heard.dropFirst()).map { abs(Int($1) - Int($0)) }.max() ?? 0
        #expect(largest < 900, "\(largest)")
    }
}
