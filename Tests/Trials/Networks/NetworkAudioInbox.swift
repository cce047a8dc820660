import HubClient
import Synchronization

/// The audio that a phone has received and not played yet; filled on the client's thread.
final class NetworkAudioInbox: Sendable {
    private struct State {
        var inbox: [ReceivedAudio] = []
        var sources: Set<UInt32> = []
    }

    private let state = Mutex(State())

    /// Adds a received packet.
    func receive(_ packet: ReceivedAudio) { state.withLock { $0.inbox.append(packet) } }

    /// Sets the sources that may be received from now on.
    func name(_ sources: [AudioSource]) { state.withLock { $0.sources = Set(sources.map(\.ssrc)) } }

    /// Removes and returns the received packets, and returns the SSRCs of their permitted sources.
    func take() -> (packets: [ReceivedAudio], sources: Set<UInt32>) {
        state.withLock {
            let taken = ($0.inbox, $0.sources)
            $0.inbox = []
            return taken
        }
    }
}
