import HubClient
import Synchronization

/// The audio that a client receives, checked against the sources announced to it; called on the client's thread.
final class SoakAudioReceiver: Sendable {
    private struct State {
        var named: Set<UInt32> = []
        /// Tone and music, which the hub generates and does not count as relayed.
        var generated: Set<UInt32> = []
    }

    private let state = Mutex(State())
    private let counters: SoakCounters
    private let name: String

    init(_ name: String, _ counters: SoakCounters) {
        (self.name, self.counters) = (name, counters)
    }

    /// Sets the sources that the hub announced last.
    func name(_ sources: [AudioSource]) {
        state.withLock {
            $0.named = Set(sources.map(\.ssrc))
            $0.generated = Set(sources.filter { ["tone", "music"].contains($0.handle.value) }.map(\.ssrc))
        }
    }

    /// Counts a received packet, and checks its source.
    func receive(_ packet: ReceivedAudio) {
        let (isNamed, isGenerated) = state.withLock {
            ($0.named.contains(packet.ssrc), $0.generated.contains(packet.ssrc))
        }
        counters.note {
            if isGenerated { $0.packetsPlayed += 1 } else { $0.packetsHeard += 1 }
            if !isNamed { $0.strays += 1 }
        }
        if !isNamed { counters.addFault("\(name) received a source that audio.sources does not contain") }
    }
}
