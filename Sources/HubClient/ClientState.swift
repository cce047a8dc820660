import Foundation
import HubEngine
import HubWire

/// The state that is shared between the program's threads and the loop's thread: session state and audio sender.
final class ClientState: @unchecked Sendable {
    private let lock = NSLock()
    private var sender: AudioSender
    private var openedSession: SessionOpenResult?
    private var currentCalls: [CallSnapshot] = []
    private var currentToken: String?
    private var hasEnded = false

    init(maximumUnreportedPackets: Int, seed: UInt64) {
        sender = AudioSender(maximumUnreported: maximumUnreportedPackets, start: seed)
    }

    /// The result of the last `session.open`.
    var opened: SessionOpenResult? { lock.withLock { openedSession } }

    /// The calls as of the last notification.
    var calls: [CallSnapshot] { lock.withLock { currentCalls } }

    /// The token of the session.
    var token: String? { lock.withLock { currentToken } }

    /// Indicates that the client has ended.
    var isOver: Bool { lock.withLock { hasEnded } }

    /// Calls a closure with exclusive access to the audio sender; safe on any thread.
    func withSender<Result>(_ body: (inout AudioSender) -> Result) -> Result {
        lock.withLock { body(&sender) }
    }

    /// Copies the state of the session.
    func adopt(_ core: SessionCore) {
        lock.withLock {
            currentCalls = core.calls
            openedSession = core.opened
            currentToken = core.signIn.token
            hasEnded = core.isOver
            sender.adopt(ssrc: core.audioSession?.ssrc, socket: core.live?.socket)
        }
    }
}
