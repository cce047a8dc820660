import HubMedia
import HubTestSupport

/// A stream and its player, on a simulated clock.
struct Playout {
    /// A packet as it arrives.
    struct Arrival {
        var payload: [UInt8]
        var sequence: UInt16
        var timestamp: UInt32
        var isMarked = false
        var source: UInt32 = 1
        /// Milliseconds.
        var time: Double
    }

    /// Makes a stream of 20 ms packets that arrive at the pace of their timestamps.
    static func stream(
        _ packets: [[UInt8]],
        firstSequence: UInt16 = 100,
        firstTimestamp: UInt32 = 5_000
    ) -> [Arrival] {
        packets.enumerated().map { index, payload in
            Arrival(
                payload: payload,
                sequence: firstSequence &+ UInt16(truncatingIfNeeded: index),
                timestamp: firstTimestamp &+ UInt32(truncatingIfNeeded: index * 960),
                isMarked: index == 0,
                time: Double(index) * 20
            )
        }
    }

    /// The samples played, and measurements of the jitter buffer.
    struct Result {
        var heard: [Int16] = []
        /// The delay behind the fastest packet at each frame, in milliseconds.
        var delays: [Double] = []
        /// The delay aimed at, likewise.
        var targets: [Double] = []
        var statistics = JitterStatistics()
    }

    /// Plays arrivals out, one frame each 20 ms from time 3 on, until half a second after the last one.
    static func run(_ arrivals: [Arrival], buffer given: JitterBuffer? = nil) throws -> Result {
        let buffer = try given ?? JitterBuffer()
        let arrivals = arrivals.sorted { $0.time < $1.time }
        var result = Result()
        var upcoming = arrivals[...]
        var now = 3.0
        let end = (arrivals.last?.time ?? 0) + 500
        while now < end {
            while let arrival = upcoming.first, arrival.time <= now {
                upcoming.removeFirst()
                arrival.payload.withUnsafeBytes {
                    buffer.insert(
                        $0,
                        sequenceNumber: arrival.sequence,
                        timestamp: arrival.timestamp,
                        isMarked: arrival.isMarked,
                        source: arrival.source,
                        at: Int64(arrival.time * 1e6)
                    )
                }
            }
            result.heard += buffer.pull(at: Int64(now * 1e6))
            result.delays.append(buffer.statistics.delayMilliseconds)
            result.targets.append(buffer.statistics.targetMilliseconds)
            now += 20
        }
        result.statistics = buffer.statistics
        return result
    }

    /// Encodes a sound in 20 ms packets.
    static func encode(_ samples: [Int16], expectedLossPercent: Int = 0) throws -> [[UInt8]] {
        var settings = OpusEncoderSettings()
        settings.expectedLossPercent = expectedLossPercent
        var encoder = try OpusEncoder(settings)
        return try frames(samples).map { try encoder.encode($0) }
    }

    /// Decodes packets one after the other: the expected output for a loss-free stream.
    static func decode(_ packets: [[UInt8]]) throws -> [Int16] {
        var decoder = try OpusDecoder()
        return try packets.flatMap { try decoder.decode($0) }
    }

    /// Some seconds of speech, made once.
    static func speech() throws -> [Int16] {
        try Speech.espeak(
            "The rain in Spain stays mainly in the plain, and nobody who has heard the whole story "
                + "would believe that a single sentence could go on for as long as this one does without stopping."
        )
    }
}
