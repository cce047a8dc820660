import Foundation

/// A call in the list.
@MainActor
final class Call {
    enum State: String {
        case connecting
        case active
        case held
        case ended
    }

    /// The progress of an outgoing call.
    enum Connection: String {
        case pending
        case complete
    }

    let uuid: UUID
    let handle: String
    let isOutgoing: Bool
    var isMuted = false
    var stateChanged: ((Call) -> Void)?

    var state: State { didSet { if state != oldValue { stateChanged?(self) } } }
    var connection: Connection? { didSet { if connection != oldValue { stateChanged?(self) } } }

    init(uuid: UUID, handle: String, isOutgoing: Bool) {
        (self.uuid, self.handle, self.isOutgoing) = (uuid, handle, isOutgoing)
        state = .connecting
    }

    /// Sends the invitation.
    func start() {
        state = .connecting
        connection = .pending
    }

    func answer() {
        state = .active
    }

    /// Notes that both ends can talk.
    func connect() {
        connection = .complete
        state = .active
    }

    func end() {
        state = .ended
    }
}
