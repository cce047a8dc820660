import Foundation
public import HubClient
public import HubEngine
import HubMedia
import HubWire

/// A phone for tests of a running hub: it keeps all notifications and audio, and waits for those to come.
///
/// Nothing here sleeps; a deadline only limits the time that a test waits for an event that should happen at once.
public final class TestPhone: Sendable {
    /// The client under it.
    public let client: HubClient
    private let eventInbox: EventInbox
    private let inbox: ReceivedAudioInbox
    private let timestamps = RTPTimestampSource()

    private init(_ client: HubClient, _ eventInbox: EventInbox, _ inbox: ReceivedAudioInbox) {
        self.client = client
        self.eventInbox = eventInbox
        self.inbox = inbox
    }

    /// Signs in on a hub on this machine.
    public static func connect(
        port: Int,
        _ account: String,
        configure: (inout ClientOptions) -> Void = { _ in }
    ) async throws -> TestPhone {
        try await connect(to: "ws://127.0.0.1:\(port)/v1", account, configure: configure)
    }

    /// Signs in on a hub anywhere.
    public static func connect(
        to url: String,
        _ account: String,
        configure: (inout ClientOptions) -> Void = { _ in }
    ) async throws -> TestPhone {
        let eventInbox = EventInbox()
        let inbox = ReceivedAudioInbox()
        var options = ClientOptions()
        configure(&options)
        // On the loop's thread: after a ping all events before its answer are noted.
        options.onEvent = { eventInbox.note($0) }
        options.onAudio = { inbox.receive($0) }
        options.onAudioSources = { inbox.name($0) }
        let client = try await HubClient.connect(to: url, account: account, options: options)
        return TestPhone(client, eventInbox, inbox)
    }

    // MARK: Events

    /// Returns the next event, from where the last wait ended, that `match` does not return nil for.
    @discardableResult
    public func next<Found: Sendable>(
        _ what: String,
        within limit: Duration = .seconds(20),
        _ match: @escaping @Sendable (ClientEvent) -> Found?
    ) async throws -> Found {
        try await eventInbox.next(what, within: limit, match)
    }

    /// Returns the next snapshot of a call that fits.
    @discardableResult
    public func call(
        _ what: String,
        within limit: Duration = .seconds(20),
        where fits: @escaping @Sendable (CallSnapshot) -> Bool
    ) async throws -> CallSnapshot {
        try await next("a call that \(what)", within: limit) { event in
            if case .notification(.callChanged(let call)) = event, fits(call) { call } else { nil }
        }
    }

    /// Returns the next call that rings.
    public func ringing() async throws -> CallSnapshot {
        try await call("rings") { $0.state == .ringing }
    }

    /// Returns the next activation of the audio session.
    @discardableResult
    public func activation() async throws -> AudioSession {
        try await next("an activated audio session") { event in
            if case .notification(.didActivateAudioSession(let session)) = event { session } else { nil }
        }
    }

    /// All events so far.
    public var told: [ClientEvent] { eventInbox.all }

    // MARK: Audio

    /// Sends packets with this SSRC and consecutive numbers, faster than real time.
    ///
    /// A client queues ten packets for a full socket, so the hub is pinged after every eighth.
    public func say(_ packets: [[UInt8]], ssrc: UInt32, from first: Int = 0) async throws {
        for (index, opus) in packets.enumerated() {
            let timestamp = timestamps.next()
            client.sendRaw(Self.packet(opus, ssrc: ssrc, number: first + index, timestamp: timestamp))
            if index % 8 == 7 { try await settle() }
        }
    }

    /// Sends packets in the present audio session, as the client would, faster than real time.
    ///
    /// - Parameter packets: Opus packets of 20 ms.
    /// - Returns: The client's result for each.
    /// - Throws: `HubClientError` if the hub does not answer a ping.
    @discardableResult
    public func say(_ packets: [[UInt8]]) async throws -> [AudioOutcome] {
        var outcomes: [AudioOutcome] = []
        for (index, opus) in packets.enumerated() {
            let silence = timestamps.silence()
            if silence > 0 { client.pauseAudio(durationInSamples: silence) }
            outcomes.append(client.sendAudio(opus, durationInSamples: AudioFormat.samplesPerFrame))
            if index % 8 == 7 { try await settle() }
        }
        return outcomes
    }

    /// Returns the RTP packet of an Opus packet of 20 ms; without a timestamp, that of a stream that began at 0.
    public static func packet(_ opus: [UInt8], ssrc: UInt32, number: Int, timestamp: UInt32? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        RTPPacket.append(
            payloadType: 111,
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            timestamp: timestamp ?? UInt32(truncatingIfNeeded: number * 960),
            ssrc: ssrc,
            payload: opus.span,
            to: &bytes
        )
        return bytes
    }

    /// Waits for a packet that fits, among those received since the last `takeReceivedAudio` and those to come.
    @discardableResult
    public func hears(
        _ what: String,
        within limit: Duration = .seconds(20),
        where fits: @escaping @Sendable (ReceivedAudio) -> Bool
    ) async throws -> ReceivedAudio {
        guard let audio = await inbox.next(within: limit, fits) else {
            throw EventInbox.Missing(
                description: "\(what) was not received within \(limit); events: \(eventInbox.all.suffix(12))"
            )
        }
        return audio
    }

    /// All packets received since the last `takeReceivedAudio`.
    public var heard: [ReceivedAudio] { inbox.all }

    /// Removes and returns all packets received since the last call.
    public func takeReceivedAudio() -> [ReceivedAudio] { inbox.take() }

    /// Removes and returns all packets received since the last call, when there are so many; fewer after 20 s.
    ///
    /// A loop that packets come to from another one may be behind with them when it answers a ping.
    public func takeReceivedAudio(reaching count: Int) async throws -> [ReceivedAudio] {
        let end = ContinuousClock.now + .seconds(20)
        repeat { try await settle() } while heard.count < count && ContinuousClock.now < end
        return takeReceivedAudio()
    }

    /// The sources of the last `audio.sources`.
    public var sources: [AudioSource] { inbox.sources }

    /// All sources that were ever announced, by SSRC.
    public var namedSources: [UInt32: AudioSource] { inbox.namedSources }

    /// Packets of sources not in the last `audio.sources` before them, and those excluded by `countAsStrays`.
    public var strays: [ReceivedAudio] { inbox.strays }

    /// Counts packets as strays, too, while `isMet` returns true.
    ///
    /// It is called when a packet arrives, after all notifications sent before the packet.
    public func countAsStrays(while isMet: @escaping @Sendable ([CallSnapshot]) -> Bool) {
        inbox.watch { [client] _ in isMet(client.currentCalls) }
    }

    /// Returns when the hub has handled everything this phone has sent, and this phone everything it was sent.
    ///
    /// A ping may overtake audio that waits for the socket; a second one, sent when the first is answered, comes after
    /// it.
    public func settle() async throws {
        for _ in 0..<2 { _ = try await client.ping() }
    }
}

/// The events that a phone received, and the continuation that waits for more.
private final class EventInbox: @unchecked Sendable {
    private struct Waiter {
        let number: Int
        let offer: (ClientEvent?) -> Bool
    }

    private let lock = NSLock()
    private var events: [ClientEvent] = []
    private var cursor = 0
    private var waiter: Waiter?
    private var lastNumber = 0

    var all: [ClientEvent] { lock.withLock { events } }

    func note(_ event: ClientEvent) {
        lock.withLock {
            events.append(event)
            feed()
        }
    }

    func next<Found: Sendable>(
        _ what: String,
        within limit: Duration,
        _ match: @escaping @Sendable (ClientEvent) -> Found?
    ) async throws -> Found {
        let found: Found? = await withCheckedContinuation { continuation in
            let number = lock.withLock {
                lastNumber += 1
                waiter = Waiter(number: lastNumber) { event in
                    guard let event else {
                        continuation.resume(returning: nil)
                        return true
                    }
                    guard let found = match(event) else { return false }
                    continuation.resume(returning: found)
                    return true
                }
                feed()
                return lastNumber
            }
            Task {
                try? await Task.sleep(for: limit)
                giveUp(number)
            }
        }
        guard let found else { throw Missing(description: "\(what) did not come in \(limit); all: \(all.suffix(12))") }
        return found
    }

    /// Offers the events to the waiter; called with the lock held.
    private func feed() {
        while let waiting = waiter, cursor < events.count {
            cursor += 1
            if waiting.offer(events[cursor - 1]) { waiter = nil }
        }
    }

    private func giveUp(_ number: Int) {
        lock.withLock {
            guard let waiting = waiter, waiting.number == number else { return }
            waiter = nil
            _ = waiting.offer(nil)
        }
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}

/// Timestamps by the clock, as a real sender's are, so that a test is not late on a slow machine.
private final class RTPTimestampSource: @unchecked Sendable {
    private let lock = NSLock()
    private let start = ContinuousClock.now
    private var last: Int64 = 0
    /// The samples by which a burst has run ahead of the clock: later packets stay as far ahead.
    private var lead: Int64 = 0

    /// Returns the timestamp of the next packet.
    func next() -> UInt32 { UInt32(truncatingIfNeeded: advance().now) }

    /// Returns the number of samples between the end of the last packet and the next one, which is sent now.
    func silence() -> Int {
        let (before, now) = advance()
        return Int(now - before) - AudioFormat.samplesPerFrame
    }

    private func advance() -> (before: Int64, now: Int64) {
        lock.withLock {
            let before = last
            let elapsed = AudioFormat.samples(inNanoseconds: (ContinuousClock.now - start).wholeNanoseconds)
            last = max(last + Int64(AudioFormat.samplesPerFrame), elapsed + lead)
            lead = max(lead, last - elapsed)
            return (before, last)
        }
    }
}
