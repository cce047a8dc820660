import Glibc
import HubMedia
import HubWire

/// A party's stream at a mixer: its jitter buffer, its level, and the listeners whose mixes it is part of.
///
/// A stream whose packets say by their level (RFC 6464) that they are silent is not decoded, and costs nothing but a
/// look at each packet.
final class SourceStream {
    /// A listener that receives the source, from a position in the source's timeline to another.
    struct Edge {
        let listener: MixListener
        /// The first position; nil: whatever comes first.
        var from: Int64?
        /// The position after the last; nil: there is no end yet.
        var until: Int64?
    }

    /// The SSRC that the party sends with.
    let ssrc: UInt32
    /// A number that stands for the source in the sums by which sets of sources are compared.
    let mark: UInt64
    private(set) var edges: [Edge] = []
    /// The samples of the present frame, after fading; meaningful if ``isContributing``.
    private(set) var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
    /// True if the present frame is part of mixes.
    private(set) var isContributing = false
    /// The level of the present frame.
    private(set) var level = AudioLevel.silence
    /// The position of the present frame in the source's timeline, in samples.
    private(set) var position: Int64 = 0
    private var lastPosition: Int64 = 0
    /// True if the source is among the loudest, to which an overloaded mixer restricts itself.
    var isChosen = true

    private let buffer: JitterBuffer
    private let silentFrom: UInt8
    /// True if the newest packet has a level.
    private var hasLevels = false
    /// The frames until a source that has become silent is no part of mixes any more.
    private var hangover = 0
    /// The frames since the last packet, or since the last audible one if packets have levels.
    private var idleFrames = 0
    private var isSuspended = true
    private var isMixed = false
    private var isCut = false
    /// The loudness by which sources are compared: the level's peak, falling slowly.
    private var loudness: Float = -127

    init(ssrc: UInt32, silentFrom: UInt8) throws(MediaError) {
        self.ssrc = ssrc
        self.silentFrom = silentFrom
        mark = Self.scramble(UInt64(ssrc) &+ 1)
        buffer = try JitterBuffer(.mixing)
    }

    /// The statistics of the jitter buffer.
    var statistics: JitterStatistics { buffer.statistics }

    /// True if the source may be part of mixes in the present frame.
    var isCandidate: Bool { hangover > 0 }

    /// The loudness for comparisons, in decibels: a present speaker has an advantage, so that two do not alternate.
    var rank: Float { isMixed ? loudness + 6 : loudness }

    /// True if the source has listeners, now or until its rest has been played.
    var isHeard: Bool { !edges.isEmpty }

    // MARK: Packets

    /// Inserts a packet, or passes over it if it is silent by its own level.
    func insert(_ packet: UnsafeRawBufferPointer, _ header: RTPPacket, at now: Int64) {
        let level = AudioLevel(in: packet.bindMemory(to: UInt8.self).span, header: header)
        hasLevels = level != nil
        if let level {
            note(level)
            guard isCandidate, isChosen else { return skip(header, at: now) }
        } else {
            idleFrames = 0
        }
        isSuspended = false
        buffer.insert(
            UnsafeRawBufferPointer(rebasing: packet[header.payloadRange]),
            sequenceNumber: header.sequenceNumber,
            timestamp: header.timestamp,
            isMarked: header.marker,
            source: ssrc,
            at: now
        )
    }

    private func skip(_ header: RTPPacket, at now: Int64) {
        guard isSuspended else { return }
        buffer.skip(sequenceNumber: header.sequenceNumber, timestamp: header.timestamp, at: now)
    }

    private func note(_ level: AudioLevel) {
        self.level = level
        loudness = max(loudness, -Float(level.attenuation))
        guard level.attenuation < silentFrom else { return }
        idleFrames = 0
        hangover = Self.hangoverFrames
    }

    // MARK: Listeners

    /// Sets the listeners, for the packets from now on.
    ///
    /// - Parameters:
    ///   - listeners: The listeners.
    ///   - draining: Former listeners that receive the packets inserted so far to their end; others lose them.
    func setListeners(_ listeners: [MixListener], draining: [MixListener]) {
        let end = buffer.endPosition
        var kept: [Edge] = []
        for var edge in edges {
            if edge.until == nil, !listeners.contains(where: { $0 === edge.listener }) {
                guard let end, draining.contains(where: { $0 === edge.listener }) else {
                    edge.listener.edgeCount -= 1
                    continue
                }
                edge.until = end
            }
            kept.append(edge)
        }
        // With the last listener the source goes, a little later so that nothing clicks.
        if kept.isEmpty, listeners.isEmpty, isMixed {
            isCut = true
            for edge in edges { edge.listener.edgeCount += 1 }
            return
        }
        isCut = false
        let isFirst = edges.isEmpty
        edges = kept
        for listener in listeners where !edges.contains(where: { $0.listener === listener && $0.until == nil }) {
            listener.edgeCount += 1
            edges.append(Edge(listener: listener, from: isFirst ? nil : end))
        }
    }

    /// Indicates that the present frame is part of an edge's mix: to the nearest frame, as edges begin and end seldom.
    func isLive(_ edge: Edge) -> Bool {
        let middle = position + Int64(AudioFormat.samplesPerFrame / 2)
        // With the last listener the source itself ends, to the sample.
        let end = isDraining ? position : middle
        return middle >= edge.from ?? .min && end < edge.until ?? .max
    }

    // MARK: Frames

    /// Makes the present frame.
    ///
    /// - Parameter now: The time of the frame in nanoseconds.
    /// - Returns: False if nothing had to be decoded.
    func pull(at now: Int64) -> Bool {
        isContributing = false
        hangover = max(0, hangover - 1)
        loudness = max(-127, loudness - 0.5)
        idleFrames += 1
        position = buffer.position
        renewEdges()
        dropEndedEdges()
        guard !isSuspended else {
            isMixed = false
            return false
        }
        let rest = buffer.endPosition.map { Int(clamping: $0 - position) } ?? 0
        let output = frame.withUnsafeMutableBufferPointer { buffer.pull(into: $0, at: now) }
        if isDraining { endFrame(after: rest) }
        if !hasLevels { note(output == .silence ? .silence : measuredLevel) }
        let isWanted = isCandidate && isChosen && !isCut
        isContributing = isWanted || isMixed
        if isMixed != isWanted { fade(rising: isWanted) }
        isMixed = isWanted
        // A source that is silent, or has stopped, is not decoded any longer.
        if !isWanted, hasLevels ? !isCandidate || !isChosen : idleFrames > Self.hangoverFrames { suspend() }
        return true
    }

    private func suspend() {
        isSuspended = true
        buffer.suspend()
    }

    /// True if the source is to be played to its present end, and no further.
    private var isDraining: Bool { !edges.isEmpty && edges.allSatisfy { $0.until != nil } }

    /// Ends the frame with the last sample received, in place of concealment.
    private func endFrame(after count: Int) {
        guard count < frame.count else { return }
        for index in max(0, count)..<frame.count { frame[index] = 0 }
        let faded = min(Self.fadeSamples, max(0, count))
        for index in 0..<faded {
            let place = count - 1 - index
            frame[place] = Int16(Int(frame[place]) * index / faded)
        }
    }

    private func fade(rising: Bool) {
        for index in frame.indices {
            let weight = min(index, Self.fadeSamples)
            frame[index] = Int16(Int(frame[index]) * (rising ? weight : Self.fadeSamples - weight) / Self.fadeSamples)
        }
    }

    /// Ends what is left of edges in positions that a sender has begun anew, and forgets beginnings that are past.
    private func renewEdges() {
        let restarts = position + Int64(AudioFormat.samplesPerFrame) < lastPosition
        lastPosition = position
        for index in edges.indices {
            if restarts || position >= edges[index].from ?? .max { edges[index].from = nil }
            if restarts, edges[index].until != nil { edges[index].until = .min }
        }
    }

    private func dropEndedEdges() {
        // Faded out in the frame before.
        let isOver = isCut && !isMixed
        let hasEnded = buffer.endPosition == nil
        edges.removeAll { edge in
            guard isOver || edge.until.map({ hasEnded || position >= $0 }) == true else { return false }
            edge.listener.edgeCount -= 1
            return true
        }
    }

    private var measuredLevel: AudioLevel {
        var sum = 0
        for sample in frame { sum += Int(sample) * Int(sample) }
        guard sum > 0 else { return .silence }
        let decibels = 10 * log10(Double(sum) / Double(frame.count) / (32_768 * 32_768))
        return AudioLevel(attenuation: UInt8(min(max(-decibels.rounded(), 0), 127)))
    }

    /// A bijection of 64 bits (SplitMix64), by which sums of different sets differ.
    private static func scramble(_ number: UInt64) -> UInt64 {
        var value = number &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// 400 ms: shorter, and pauses between words would be cut.
    private static let hangoverFrames = 20
    /// 10 ms: enough to avoid a click.
    private static let fadeSamples = 480
}
