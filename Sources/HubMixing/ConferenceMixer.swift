package import HubMedia
import HubWire

/// A mixer of conversations: it gives each listener one stream of all others.
///
/// It has no clock and does no input or output: packets and changes go in, and every 20 ms of its clock packets come
/// out. A source is decoded once, whoever receives it; listeners of the same sources share one encoder. It knows no
/// groups: each source has its listeners, so that a merge or a split only changes those.
///
/// All calls come from one thread. The delay that it adds is 24.5 ms on a clean network: 22 ms of its jitter buffers
/// and 2.5 ms of its encoders.
package final class ConferenceMixer {
    /// The work that the mixer can do.
    package var effort = MixerEffort.full

    private let settings: MixerSettings
    private let ssrc: UInt32
    private var streams: [SourceStream] = []
    private var streamOfSSRC: [UInt32: SourceStream] = [:]
    private var listeners: [MixListener] = []
    private var listenerOfID: [ListenerID: MixListener] = [:]
    private var buses: [MixBus] = []
    private var spareBuses: [MixBus] = []
    private var frame = MixFrame()
    /// The number of packets that were encoded.
    package private(set) var encodedPackets = 0

    /// Creates a mixer without sources.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - ssrc: The SSRC of all mixes.
    package init(_ settings: MixerSettings = MixerSettings(), ssrc: UInt32) {
        self.settings = settings
        self.ssrc = ssrc
    }

    /// The number of frames that were decoded.
    package private(set) var decodedFrames = 0

    /// True if there is neither a source nor a rest of one.
    package var isIdle: Bool { streams.isEmpty && buses.isEmpty }

    /// Returns the statistics of a source's jitter buffer; nil: there is no such source.
    package func statistics(of source: UInt32) -> JitterStatistics? { streamOfSSRC[source]?.statistics }

    // MARK: Changes

    /// Sets the listeners of a source, for its packets from now on.
    ///
    /// - Parameters:
    ///   - listeners: The listeners; empty: the source goes.
    ///   - draining: Former listeners that receive its earlier packets to their end, since the later ones reach them
    ///     in another way.
    ///   - source: The source's SSRC.
    /// - Throws: ``MediaError`` with code `codec` if libopus fails to create a decoder.
    package func setListeners(
        _ listeners: [ListenerID],
        draining: [ListenerID] = [],
        of source: UInt32
    ) throws(MediaError) {
        let stream: SourceStream
        if let known = streamOfSSRC[source] {
            stream = known
        } else {
            guard !listeners.isEmpty else { return }
            stream = try SourceStream(ssrc: source, silentFrom: settings.silentFrom)
            streams.append(stream)
            streamOfSSRC[source] = stream
        }
        stream.setListeners(listeners.map(listener), draining: draining.map(listener))
        removeUnheardStreams()
    }

    /// Inserts a packet; one of a source without listeners is discarded.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - now: The time of its arrival in nanoseconds.
    package func insert(_ packet: UnsafeRawBufferPointer, at now: Int64) {
        guard let header = try? RTPPacket(parsing: packet.bindMemory(to: UInt8.self).span) else { return }
        streamOfSSRC[header.ssrc]?.insert(packet, header, at: now)
    }

    private func listener(_ id: ListenerID) -> MixListener {
        if let known = listenerOfID[id] { return known }
        let listener = MixListener(id)
        listener.usedAt = frame.number
        listenerOfID[id] = listener
        listeners.append(listener)
        return listener
    }

    private func removeUnheardStreams() {
        guard streams.contains(where: { !$0.isHeard }) else { return }
        for stream in streams where !stream.isHeard { streamOfSSRC[stream.ssrc] = nil }
        streams.removeAll { !$0.isHeard }
    }

    // MARK: Frames

    /// Makes the packets of a frame.
    ///
    /// - Parameters:
    ///   - now: The time at which the frame was due, in nanoseconds: 20 ms after the one before.
    ///   - send: Receives each listener's packet, which is valid until it returns.
    /// - Throws: ``MediaError`` with code `codec` if libopus fails.
    package func tick(
        at now: Int64,
        _ send: (ListenerID, UnsafeRawBufferPointer) -> Void
    ) throws(MediaError) {
        let number = now / AudioFormat.nanosecondsPerFrame
        chooseSpeakers()
        for stream in streams where stream.pull(at: now) { decodedFrames += 1 }
        for listener in listeners { listener.sources = SourceSet() }
        frame.begin(number, of: streams)
        for stream in frame.streams {
            for edge in stream.edges where stream.isLive(edge) { edge.listener.sources.insert(stream) }
        }
        try assignBuses(number)
        joinEqualBuses(number)
        for bus in buses { try mix(bus) }
        for listener in listeners { self.send(to: listener, send) }
        removeUnheardStreams()
        removeFormerListeners(number)
    }

    /// Removes the listeners without sources, late enough that one who comes back continues the sequence numbers.
    private func removeFormerListeners(_ number: Int64) {
        for listener in listeners where listener.edgeCount > 0 || listener.bus != nil { listener.usedAt = number }
        guard listeners.contains(where: { number - $0.usedAt > Self.framesOfMemory }) else { return }
        for listener in listeners where number - listener.usedAt > Self.framesOfMemory {
            listenerOfID[listener.id] = nil
        }
        listeners.removeAll { number - $0.usedAt > Self.framesOfMemory }
    }

    /// Restricts the speakers to the loudest, if the mixer can do no more: of all that one listener hears.
    private func chooseSpeakers() {
        let limit = effort.maximumSpeakers
        guard streams.count > limit else {
            for stream in streams { stream.isChosen = true }
            return
        }
        var heard: [ListenerID: Int] = [:]
        for stream in streams.sorted(by: { $0.rank > $1.rank }) {
            stream.isChosen = stream.edges.allSatisfy { heard[$0.listener.id, default: 0] < limit }
            guard stream.isChosen, stream.isCandidate else { continue }
            for edge in stream.edges { heard[edge.listener.id, default: 0] += 1 }
        }
    }

    /// Puts each listener on a bus with its sources.
    private func assignBuses(_ number: Int64) throws(MediaError) {
        for bus in buses { bus.forks.removeAll(keepingCapacity: true) }
        setMainSources(number)
        for listener in listeners {
            guard let bus = listener.bus, bus.sources != listener.sources else { continue }
            if let fork = bus.forks.first(where: { $0.sources == listener.sources }) {
                listener.bus = fork
            } else {
                let fork = try makeBus(listener.sources, number)
                fork.copy(bus)
                bus.forks.append(fork)
                listener.bus = fork
            }
        }
        for listener in listeners where listener.bus == nil && listener.sources.count > 0 {
            if let bus = buses.first(where: { $0.sources == listener.sources && $0.isBetweenPackets }) {
                bus.hasJoined = true
                listener.bus = bus
            } else {
                listener.bus = try makeBus(listener.sources, number)
            }
        }
    }

    /// Gives each bus the sources of most of its listeners; the others leave it.
    private func setMainSources(_ number: Int64) {
        var counts: [ObjectIdentifier: [(sources: SourceSet, count: Int)]] = [:]
        for listener in listeners {
            guard let bus = listener.bus else { continue }
            var sets = counts[ObjectIdentifier(bus)] ?? []
            if let place = sets.firstIndex(where: { $0.sources == listener.sources }) {
                sets[place].count += 1
            } else {
                sets.append((listener.sources, 1))
            }
            counts[ObjectIdentifier(bus)] = sets
        }
        for bus in buses {
            guard let main = counts[ObjectIdentifier(bus)]?.max(by: { $0.count < $1.count }) else { continue }
            if bus.sources != main.sources {
                bus.sources = main.sources
                bus.unchangedSince = number
            }
        }
    }

    private func makeBus(_ sources: SourceSet, _ number: Int64) throws(MediaError) -> MixBus {
        let bus: MixBus
        if let spare = spareBuses.popLast() { bus = spare } else { bus = try MixBus(settings) }
        bus.sources = sources
        bus.unchangedSince = number
        buses.append(bus)
        return bus
    }

    /// Joins buses that have had the same sources for a while, and frees those without listeners.
    private func joinEqualBuses(_ number: Int64) {
        var oldest: [SourceSet: MixBus] = [:]
        var joined: [ObjectIdentifier: MixBus] = [:]
        for bus in buses where number - bus.unchangedSince >= Self.framesBeforeJoining {
            guard let other = oldest[bus.sources] else {
                oldest[bus.sources] = bus
                continue
            }
            guard bus.isBetweenPackets, other.isBetweenPackets, abs(bus.gain - other.gain) < 0.02 else { continue }
            joined[ObjectIdentifier(bus)] = other
            other.hasJoined = true
        }
        for bus in buses { bus.listenerCount = 0 }
        for listener in listeners {
            guard let bus = listener.bus else { continue }
            if let other = joined[ObjectIdentifier(bus)] { listener.bus = other }
            listener.bus?.listenerCount += 1
        }
        for bus in buses where bus.listenerCount == 0 {
            bus.reset()
            spareBuses.append(bus)
        }
        buses.removeAll { $0.listenerCount == 0 }
    }

    private func mix(_ bus: MixBus) throws(MediaError) {
        guard let listener = listeners.first(where: { $0.bus === bus }) else { return }
        let sources = frame.streams.filter { stream in
            stream.edges.contains { $0.listener === listener && stream.isLive($0) }
        }
        try bus.mix(sources, of: frame, ssrc: ssrc, effort: effort)
        if !bus.packet.isEmpty { encodedPackets += 1 }
    }

    /// Sends the packet of the listener's bus under the listener's own numbers.
    private func send(to listener: MixListener, _ send: (ListenerID, UnsafeRawBufferPointer) -> Void) {
        guard let bus = listener.bus else { return }
        guard bus.isSending(hasSources: listener.edgeCount > 0) else {
            listener.startsTalkSpurt = true
            // The bus of a listener without sources is free for others.
            if listener.edgeCount == 0 { listener.bus = nil }
            return
        }
        guard !bus.packet.isEmpty else { return }
        bus.patch(marker: listener.startsTalkSpurt, sequenceNumber: listener.sequenceNumber) { send(listener.id, $0) }
        listener.startsTalkSpurt = false
        listener.sequenceNumber &+= 1
    }

    /// A minute.
    private static let framesOfMemory: Int64 = 3_000
    /// 240 ms: shorter, and buses would part and join with every word.
    private static let framesBeforeJoining: Int64 = 12
}
