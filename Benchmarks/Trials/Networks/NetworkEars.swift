import HubClient
import Synchronization

/// What a phone has received and not yet played; filled on the client's thread.
final class NetworkEars: Sendable {
    private struct State {
        var inbox: [ReceivedAudio] = []
        var sources: Set<UInt32> = []
    }

    private let state = Mutex(State())

    /// A packet has come.
    func hear(_ packet: ReceivedAudio) { state.withLock { $0.inbox.append(packet) } }

    /// Somebody else is heard from now on.
    func name(_ sources: [AudioSource]) { state.withLock { $0.sources = Set(sources.map(\.ssrc)) } }

    /// Takes what has come, and whose it may be.
    func take() -> (packets: [ReceivedAudio], sources: Set<UInt32>) {
        state.withLock {
            let taken = ($0.inbox, $0.sources)
            $0.inbox = []
            return taken
        }
    }
}
