import Foundation
import HubEngine
import HubWire

/// What a client's own threads and the loop's thread share: the last known state, and the sending side of the audio.
final class ClientState: @unchecked Sendable {
    private let lock = NSLock()
    private var sender: AudioSender
    private var openedSession: SessionOpened?
    private var currentCalls: [CallSnapshot] = []
    private var shownToken: String?
    private var hasEnded = false

    init(mostUnreportedPackets: Int, seed: UInt64) {
        sender = AudioSender(mostUnreported: mostUnreportedPackets, start: seed)
    }

    /// The result of the last `session.open`.
    var opened: SessionOpened? { lock.withLock { openedSession } }

    /// The calls as the last notification left them.
    var calls: [CallSnapshot] { lock.withLock { currentCalls } }

    /// The token that the session goes by.
    var token: String? { lock.withLock { shownToken } }

    /// Whether the client is over.
    var isOver: Bool { lock.withLock { hasEnded } }

    /// Does something with the audio sender, which every thread may use.
    func withSender<Result>(_ body: (inout AudioSender) -> Result) -> Result {
        lock.withLock { body(&sender) }
    }

    /// Takes over what the session knows now.
    func adopt(_ core: SessionCore) {
        lock.withLock {
            currentCalls = core.calls
            openedSession = core.opened
            shownToken = core.signIn.token
            hasEnded = core.isOver
            sender.adopt(ssrc: core.audioSession?.ssrc, socket: core.live?.socket)
        }
    }
}
