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
/// The thread runs only between `begin` and `finish`.
package final class CallAudioThread: @unchecked Sendable {
    private let inbox = CallAudioInbox()
    private let lock = NSLock()
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
    ///   - report: The receiver of events, called on the thread.
    package func begin(output: some PacketOutput, _ report: @escaping @Sendable (CallAudioEvent) -> Void) {
        isRunning = true
        ThreadTicker().run { [self] now in
            if lock.withLock({ isStopping }) {
                stopped.signal()
                return false
            }
            tick(at: now, output, report)
            return true
        }
    }

    /// Queues a received packet; called on the client's thread.
    package func received(_ packet: ReceivedAudio) { inbox.received(packet) }

    /// Sets the sources to play; called on the client's thread, before their first packet.
    package func setSources(_ sources: [AudioSource]) { inbox.setSources(sources) }

    /// Sets the state of the calls.
    package func set(_ line: AudioLine) { inbox.set(line) }

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

    private func tick(at now: Int64, _ output: some PacketOutput, _ report: (CallAudioEvent) -> Void) {
        let content = inbox.take()
        do throws(MediaError) {
            if try sender?.tick(content.line, to: output) == .over { report(.played) }
        } catch {
            report(.failed(error))
        }
        do throws(MediaError) {
            try receiver.tick(isOpen: content.line.isOpen, sources: content.sources, content.packets, at: now)
        } catch {
            report(.failed(error))
        }
    }
}
