import Foundation
public import HubClient
import HubEngine

/// A phone that sends audio without a pause: a frame of 20 ms every 20 ms, each with its own number, until stopped.
///
/// All talks of a process share one thread, so that many of them load the machine no more than one.
public final class NumberedAudioSender: Sendable {
    /// A frame that was due.
    public struct Frame: Sendable {
        /// The time at which it was sent, on the machine's monotonic clock, like `ReceivedAudio.arrival`.
        public var instant: Instant
        /// The client's result of sending it.
        public var outcome: AudioOutcome
    }

    private let frameSender: FrameSender

    /// Starts to send.
    ///
    /// - Parameters:
    ///   - client: The client that sends, as its audio session and its connection allow.
    ///   - sound: Opus packets of 20 ms to send in turn; empty: packets with the frames' numbers.
    public init(_ client: HubClient, sound: [[UInt8]] = []) {
        frameSender = FrameSender(client, sound: sound)
        Pacer.shared.add(frameSender)
    }

    deinit {
        _ = frameSender.stop()
    }

    /// Stops sending.
    ///
    /// - Returns: All frames so far, by their numbers.
    @discardableResult
    public func stop() -> [Frame] {
        frameSender.stop()
    }

    /// All frames so far, by their numbers.
    public var frames: [Frame] { frameSender.frames }

    /// The number of frames so far, sent or not.
    public var count: Int { frameSender.frames.count }

    /// Waits until a number of frames is reached, sent or not.
    ///
    /// - Parameter count: The number of frames since the beginning.
    public func reaches(_ count: Int) async {
        await withCheckedContinuation { frameSender.whenReached(count, $0) }
    }

    /// Returns the number in a frame; nil for one that no `NumberedAudioSender` has made.
    ///
    /// - Parameter payload: An Opus packet.
    /// - Returns: The number, counted from 0.
    public static func number(in payload: [UInt8]) -> Int? {
        guard payload.count == 64, payload[0] == toc else { return nil }
        return payload[1..<9].reduce(0) { $0 << 8 | Int($1) }
    }

    /// An Opus packet of 20 ms (RFC 6716 3.1: SILK, narrow band, one frame) of the usual size, with a number in it.
    static func packet(_ number: Int) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: 64)
        packet[0] = toc
        for index in 0..<8 { packet[1 + index] = UInt8(truncatingIfNeeded: number >> (8 * (7 - index))) }
        return packet
    }

    private static let toc: UInt8 = 0x08
}

private final class FrameSender: @unchecked Sendable {
    private let lock = NSLock()
    private var client: HubClient?
    private var sentFrames: [NumberedAudioSender.Frame] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    private let sound: [[UInt8]]

    init(_ client: HubClient, sound: [[UInt8]]) { (self.client, self.sound) = (client, sound) }

    var frames: [NumberedAudioSender.Frame] { lock.withLock { sentFrames } }

    /// Sends the next frame; returns false if sending has been stopped.
    func sendNext(at instant: Instant) -> Bool {
        lock.withLock {
            guard let client else { return false }
            let number = sentFrames.count
            let packet = sound.isEmpty ? NumberedAudioSender.packet(number) : sound[number % sound.count]
            let outcome = client.sendAudio(packet, durationInSamples: 960)
            sentFrames.append(NumberedAudioSender.Frame(instant: instant, outcome: outcome))
            for waiter in waiters where waiter.count <= sentFrames.count { waiter.continuation.resume() }
            waiters.removeAll { $0.count <= sentFrames.count }
            return true
        }
    }

    func stop() -> [NumberedAudioSender.Frame] {
        lock.withLock {
            client = nil
            for waiter in waiters { waiter.continuation.resume() }
            waiters = []
            return sentFrames
        }
    }

    func whenReached(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) {
        lock.withLock {
            guard client != nil, sentFrames.count < count else { return continuation.resume() }
            waiters.append((count, continuation))
        }
    }
}

/// One thread that ticks fifty times a second, and makes up for missed ticks.
private final class Pacer: @unchecked Sendable {
    static let shared = Pacer()
    private let lock = NSLock()
    private var frameSenders: [FrameSender] = []

    private init() {
        let thread = Thread { [self] in run() }
        thread.name = "pacer"
        thread.start()
    }

    func add(_ frameSender: FrameSender) { lock.withLock { frameSenders.append(frameSender) } }

    private func run() {
        var next = timespec()
        clock_gettime(CLOCK_MONOTONIC, &next)
        while true {
            next.tv_nsec += 20_000_000
            if next.tv_nsec >= 1_000_000_000 {
                next.tv_nsec -= 1_000_000_000
                next.tv_sec += 1
            }
            while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &next, nil) == EINTR {}
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let instant = Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
            let talking = lock.withLock { frameSenders }
            let ended = talking.filter { !$0.sendNext(at: instant) }
            guard !ended.isEmpty else { continue }
            lock.withLock { frameSenders.removeAll { frameSender in ended.contains { $0 === frameSender } } }
        }
    }
}
