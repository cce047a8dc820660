import Foundation
package import HubClient
package import HubMedia

/// A message of the audio thread.
package enum CallAudioEvent: Sendable {
    /// All audio of the source has been sent.
    case played
    /// A file or pipe failed; the direction that used it stops.
    case failed(MediaError)
}

/// The real-time audio of a party on a thread of its own: reads and sends, receives and stores.
///
/// Frame n is due at the start + n * 20 ms on the monotonic clock, so that no error accumulates. The thread runs
/// only between `begin` and `finish`.
package final class CallAudioThread: @unchecked Sendable {
    private let lock = NSLock()
    private var line = AudioLine()
    private var inbox: [ReceivedAudio] = []
    /// The SSRCs of the sources to play.
    private var sources: Set<UInt32> = []
    private var isStopping = false
    private let stopped = DispatchSemaphore(value: 0)
    private var isRunning = false

    // Only the audio thread uses these while it runs; before and after it, the owner.
    private let sender: CallAudioSender?
    private let receiver: CallAudioReceiver

    /// Prepares the audio; nothing runs yet.
    ///
    /// - Parameters:
    ///   - source: The sound that is sent; nil: none.
    ///   - isLive: True for a source that goes on while no call is open, such as a microphone.
    ///   - sink: The destination of what is heard; nil: none.
    /// - Throws: `MediaError` if there is no Opus encoder.
    package init(source: (any AudioFrameSource)?, isLive: Bool, sink: (any AudioFrameSink)?) throws(MediaError) {
        if let source { sender = try CallAudioSender(source: source, isLive: isLive) } else { sender = nil }
        receiver = CallAudioReceiver(sink: sink)
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - output: The destination of the packets.
    ///   - report: A function that is told of events, on the thread.
    package func begin(output: some PacketOutput, _ report: @escaping @Sendable (CallAudioEvent) -> Void) {
        isRunning = true
        let thread = Thread { [self] in
            run(output, report)
            stopped.signal()
        }
        thread.start()
    }

    /// Queues a received packet; called on the client's thread.
    package func received(_ packet: ReceivedAudio) {
        lock.withLock {
            // Before the thread runs the queue is not drained; three seconds of each talker are more than it is ever
            // late.
            if inbox.count < 150 * max(1, sources.count) { inbox.append(packet) }
        }
    }

    /// Sets the sources to play; called on the client's thread, before their first packet.
    package func setSources(_ sources: [AudioSource]) {
        lock.withLock { self.sources = Set(sources.map(\.ssrc)) }
    }

    /// Sets the state of the calls.
    package func set(_ line: AudioLine) { lock.withLock { self.line = line } }

    /// Stops the thread and closes the recording.
    ///
    /// - Returns: The statistics of the received audio.
    /// - Throws: `MediaError` if the rest of the recording cannot be written.
    @discardableResult
    package func finish() throws(MediaError) -> ReceivedAudioStatistics {
        if isRunning {
            lock.withLock { isStopping = true }
            stopped.wait()
            isRunning = false
        }
        try receiver.close()
        return receiver.statistics
    }

    private func run(_ output: some PacketOutput, _ report: (CallAudioEvent) -> Void) {
        let start = monotonicNanoseconds()
        var frame: Int64 = 0
        while true {
            let due = start + frame * AudioFormat.nanosecondsPerFrame
            sleep(untilNanoseconds: due)
            let (line, sources, packets, isStopping) = lock.withLock {
                defer { inbox.removeAll(keepingCapacity: true) }
                return (self.line, self.sources, inbox, self.isStopping)
            }
            if isStopping { return }
            do throws(MediaError) {
                if try sender?.tick(line, to: output) == .over { report(.played) }
            } catch {
                report(.failed(error))
            }
            do throws(MediaError) {
                try receiver.tick(
                    isOpen: line.isOpen,
                    sources: sources,
                    packets,
                    at: monotonicNanoseconds()
                )
            } catch {
                report(.failed(error))
            }
            frame += 1
        }
    }
}

/// The machine's monotonic clock in nanoseconds, which the client also uses for arrival times.
func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

private func sleep(untilNanoseconds due: Int64) {
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    // Sleeps until an absolute time, so that interruptions do not prolong it.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}
