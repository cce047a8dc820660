import HubMedia
import HubTestSupport
import Testing

@Suite struct PacketRecorderTests {
    @Test func `losses, pauses and a change of source keep their duration`() throws {
        var arrivals = Playout.stream(try packets(seconds: 4))
        arrivals.removeSubrange(40..<45)
        for index in 100..<arrivals.count {
            arrivals[index].source = 2
            arrivals[index].timestamp &+= 3_000_000_000
            arrivals[index].time += 1_000
        }
        let recording = try record(arrivals)
        #expect(recording.samples == 5 * 48_000)
        #expect(recording.skipped == 0)
    }

    @Test func `duplicate and late packets are omitted`() throws {
        var arrivals = Playout.stream(try packets(seconds: 1))
        arrivals.append(arrivals[10])
        arrivals[20].time += 100
        let recording = try record(arrivals)
        #expect(recording.samples == 48_000)
        #expect(recording.skipped == 2)
    }

    @Test(arguments: [1_000_000_000, -500_000])
    func `a timestamp jump leaves no gap`(leap: Int) throws {
        var arrivals = Playout.stream(try packets(seconds: 4))
        for index in 100..<200 {
            arrivals[index].timestamp = UInt32(truncatingIfNeeded: Int(arrivals[index].timestamp) + leap)
        }
        let recording = try record(arrivals)
        #expect(abs(recording.samples - 4 * 48_000) <= 1_920)
    }

    private func packets(seconds: Int) throws -> [[UInt8]] {
        var tone = Tone(hertz: 440)
        return try Playout.encode(tone.next(seconds * 48_000))
    }

    private func record(_ arrivals: [Playout.Arrival]) throws -> (samples: Int, skipped: Int) {
        let file = try TemporaryFile(".ogg")
        let sink = try openAudioSink(file.path)
        let recorder = PacketRecorder(sink)
        for arrival in arrivals.sorted(by: { $0.time < $1.time }) {
            try arrival.payload.withUnsafeBytes {
                try recorder.record(
                    $0,
                    timestamp: arrival.timestamp,
                    source: arrival.source,
                    at: Int64(arrival.time * 1e6)
                )
            }
        }
        try sink.close()
        var reader = try OggOpusReader(path: file.path)
        var samples = 0
        while let packet = try reader.next() { samples += packet.durationInSamples }
        return (samples, recorder.skippedPackets)
    }
}
