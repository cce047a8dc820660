import BenchmarkSupport
import Foundation
import HubClient
import Synchronization

/// One thread that sends a frame of 20 ms every 20 ms for all clients with an audio session.
final class SoakAudioSender: Sendable {
    private struct State {
        var clients: [Int: HubClient] = [:]
        var isSending = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let counters: SoakCounters

    init(_ counters: SoakCounters) {
        self.counters = counters
        let thread = Thread { [self] in run() }
        thread.name = "voices"
        thread.start()
    }

    /// Sets or removes a device's client.
    func set(_ client: HubClient?, of device: Int) {
        state.withLock { $0.clients[device] = client }
    }

    /// Starts or stops sending.
    func setSending(_ isSending: Bool) {
        state.withLock { $0.isSending = isSending }
    }

    /// Ends the thread.
    func end() {
        state.withLock { $0.isOver = true }
    }

    /// An Opus packet of 20 ms (RFC 6716, 3: hybrid, full band, mono, one frame) of the usual size.
    private static let packet = [0x78] + (1..<80).map { UInt8($0) }

    private func run() {
        var due = monotonicNanoseconds()
        while true {
            due += 20_000_000
            let now = monotonicNanoseconds()
            if now < due { usleep(UInt32((due - now) / 1_000)) }
            // After a pause of the machine the missed frames are not sent in a burst: a fault of the clients, not of
            // the hub.
            let missed = now > due ? Int((now - due) / 20_000_000) : 0
            if missed > 0 {
                counters.note { $0.lateFrames += missed }
                due += UInt64(missed) * 20_000_000
            }
            let (clients, isSending, isOver) = state.withLock { (Array($0.clients.values), $0.isSending, $0.isOver) }
            if isOver { return }
            let silent = missed + (isSending ? 0 : 1)
            if silent > 0 { for client in clients { client.pauseAudio(durationInSamples: 960 * silent) } }
            guard isSending else { continue }
            let sent = clients.count { $0.sendAudio(Self.packet, durationInSamples: 960) == .sent }
            counters.note { $0.packetsSent += sent }
        }
    }
}
