import HubMedia
import HubMixing
import HubWire
import Testing

/// Silence in a mixed conversation, which costs nothing.
@Suite struct MixedSilenceTests {
    private let silence = [Int16](repeating: 0, count: 960)

    @Test func `parties whose levels say that they are silent are sent nothing`() throws {
        let room = Room()
        for number in 1...3 as ClosedRange<UInt32> { try room.add(number, hasLevels: true) { _ in silence } }
        try room.join([1, 2, 3])
        try room.run(100)
        #expect(room.mixer.encodedPackets == 0)
        #expect(room.mixer.decodedFrames == 0)
        #expect(room.streams.isEmpty)
    }

    @Test(arguments: [true, false])
    func `after the last word 200 ms of silence follow, and then nothing until the next`(hasLevels: Bool) throws {
        let room = Room()
        for number in 1...3 as ClosedRange<UInt32> {
            try room.add(number, hasLevels: hasLevels) { frame in
                number == 1 && (frame < 30 || frame >= 130)
                    ? ConferenceMixerTests.tone(500, frame) : silence
            }
        }
        try room.join([1, 2, 3])
        try room.run(70)
        var stream = try #require(room.streams[2])
        let sent = stream.packets.count
        #expect(stream.samples.suffix(4_800).allSatisfy { abs(Int($0)) < 20 })
        try room.run(50)
        #expect(room.streams[2]?.packets.count == sent)
        try room.run(60)
        stream = try #require(room.streams[2])
        #expect(stream.packets.filter(\.marker).map(\.sequenceNumber) == [0, UInt16(sent)])
        // The timestamp has gone on with time: 30 frames of tone, and 100 of silence.
        let (first, next) = (stream.packets[0].timestamp, stream.packets[sent].timestamp)
        #expect(next - first == 130 * 960)
        #expect(room.streams[1] == nil)
    }

    @Test func `a party that only breathes is left out, with a level and without`() throws {
        for hasLevels in [true, false] {
            let room = Room()
            for number in 1...3 as ClosedRange<UInt32> {
                try room.add(number, hasLevels: hasLevels) { ConferenceMixerTests.tone(300, $0, amplitude: 0.0005) }
            }
            try room.join([1, 2, 3])
            try room.run(50)
            #expect(room.mixer.encodedPackets == 0)
        }
    }
}
