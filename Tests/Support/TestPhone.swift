import Foundation
public import HubClient
public import HubEngine
import HubMedia
import HubWire

/// A phone for tests of a running hub: keeps everything it is told and hears, and waits for what is to come.
///
/// Nothing here sleeps; a deadline only bounds how long a test waits for what should happen at once.
public final class TestPhone: Sendable {
    /// The client under it.
    public let client: HubClient
    private let diary = Diary()
    private let ears: Ears
    private let stopwatch = Stopwatch()

    private init(_ client: HubClient, _ ears: Ears) {
        self.client = client
        self.ears = ears
        let diary = diary
        let events = client.events
        Task {
            for await event in events { diary.note(event) }
        }
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
        let ears = Ears()
        var options = ClientOptions()
        configure(&options)
        options.onAudio = { ears.hear($0) }
        options.onAudioSources = { ears.name($0) }
        let client = try await HubClient.connect(to: url, account: account, options: options)
        return TestPhone(client, ears)
    }

    // MARK: What it is told

    /// The next event, from where the last wait ended, of which `match` makes something.
    @discardableResult
    public func next<Found: Sendable>(
        _ what: String,
        within limit: Duration = .seconds(20),
        _ match: @escaping @Sendable (ClientEvent) -> Found?
    ) async throws -> Found {
        try await diary.next(what, within: limit, match)
    }

    /// The next snapshot of a call that fits.
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

    /// The next call that rings.
    public func ringing() async throws -> CallSnapshot {
        try await call("rings") { $0.state == .ringing }
    }

    /// The next activation of the audio session.
    @discardableResult
    public func activation() async throws -> AudioSession {
        try await next("an activated audio session") { event in
            if case .notification(.didActivateAudioSession(let session)) = event { session } else { nil }
        }
    }

    /// All that it was told so far.
    public var told: [ClientEvent] { diary.all }

    // MARK: What it says and hears

    /// Sends packets with this SSRC and consecutive numbers, faster than real time.
    ///
    /// A client keeps ten packets for a socket that takes no more, so after some of them the hub is asked for an answer.
    public func say(_ packets: [[UInt8]], ssrc: UInt32, from first: Int = 0) async throws {
        for (index, opus) in packets.enumerated() {
            let timestamp = stopwatch.next()
            client.sendRaw(Self.packet(opus, ssrc: ssrc, number: first + index, timestamp: timestamp))
            if index % 8 == 7 { try await settle() }
        }
    }

    /// Says packets in the audio session of the moment, as the client would, faster than real time.
    ///
    /// - Returns: What the client could do with each.
    @discardableResult
    public func say(_ packets: [[UInt8]]) async throws -> [AudioOutcome] {
        var outcomes: [AudioOutcome] = []
        for (index, opus) in packets.enumerated() {
            let silence = stopwatch.silence()
            if silence > 0 { client.pauseAudio(durationInSamples: silence) }
            outcomes.append(client.sendAudio(opus, durationInSamples: AudioFormat.samplesPerFrame))
            if index % 8 == 7 { try await settle() }
        }
        return outcomes
    }

    /// The RTP packet of an Opus packet of 20 ms; without a timestamp, the one of a stream that began at 0.
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

    /// Waits for a packet that fits, among those heard since the last `takeHeard` and those to come.
    @discardableResult
    public func hears(
        _ what: String,
        within limit: Duration = .seconds(20),
        where fits: @escaping @Sendable (ReceivedAudio) -> Bool
    ) async throws -> ReceivedAudio {
        guard let audio = await ears.next(within: limit, fits) else {
            throw Diary.Missing(description: "\(what) was not heard in \(limit); told: \(diary.all.suffix(12))")
        }
        return audio
    }

    /// All packets heard since the last `takeHeard`.
    public var heard: [ReceivedAudio] { ears.all }

    /// All packets heard since the last call.
    public func takeHeard() -> [ReceivedAudio] { ears.take() }

    /// Whom it hears now, by the hub's word.
    public var sources: [AudioSource] { ears.sources }

    /// Everybody whom it was ever to hear, by SSRC.
    public var namedSources: [UInt32: AudioSource] { ears.namedSources }

    /// Packets of those who were not named by the last `audio.sources` before them, and those that `mustNotHear` is about.
    public var strays: [ReceivedAudio] { ears.strays }

    /// A packet that comes while this is so is a stray, too; asked at its arrival, after all that was told before it.
    public func mustNotHear(while isSo: @escaping @Sendable ([CallSnapshot]) -> Bool) {
        ears.watch { [client] _ in isSo(client.currentCalls) }
    }

    /// Returns when the hub has dealt with everything this phone has sent, and this phone with what it was sent.
    ///
    /// A ping may overtake sound that waits for the socket; a second one, sent when the first is answered, comes after it.
    public func settle() async throws {
        for _ in 0..<2 { _ = try await client.ping() }
    }
}

/// What a phone was told, and who waits for more.
private final class Diary: @unchecked Sendable {
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
        guard let found else { throw Missing(description: "\(what) did not come in \(limit); told: \(all.suffix(12))") }
        return found
    }

    /// Called with the lock held.
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

/// Timestamps by the clock, as a real sender's are, however slow the machine is: a test must not be late by its own fault.
private final class Stopwatch: @unchecked Sendable {
    private let lock = NSLock()
    private let start = ContinuousClock.now
    private var last: Int64 = 0
    /// By how much a burst has run ahead of the clock: what comes after it stays as far ahead.
    private var lead: Int64 = 0

    /// The timestamp of the next packet.
    func next() -> UInt32 { UInt32(truncatingIfNeeded: advance().now) }

    /// Samples that passed between the end of the last packet and the next one, which is said now.
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
