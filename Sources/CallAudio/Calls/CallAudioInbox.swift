import Foundation
package import HubClient

/// The state of the calls and the received packets, for the thread of the audio.
package final class CallAudioInbox: @unchecked Sendable {
    /// The content at the time of a frame.
    package struct Content {
        /// The state of the calls.
        package var line = AudioLine()
        /// The SSRCs of the sources to play.
        package var sources: Set<UInt32> = []
        /// The packets since the last frame.
        package var packets: [ReceivedAudio] = []
    }

    private let lock = NSLock()
    private var content = Content()

    package init() {}

    /// Queues a received packet; called on the client's thread.
    package func received(_ packet: ReceivedAudio) {
        lock.withLock {
            // Before the audio runs the queue is not drained; three seconds of each talker are more than it is ever
            // late.
            guard content.packets.count < 150 * max(1, content.sources.count) else { return }
            content.packets.append(packet)
        }
    }

    /// Sets the sources to play; called on the client's thread, before their first packet.
    package func setSources(_ sources: [AudioSource]) {
        lock.withLock { content.sources = Set(sources.map(\.ssrc)) }
    }

    /// Sets the state of the calls.
    package func set(_ line: AudioLine) { lock.withLock { content.line = line } }

    /// Returns the content and removes the packets from it.
    package func take() -> Content {
        lock.withLock {
            defer { content.packets.removeAll(keepingCapacity: true) }
            return content
        }
    }
}
