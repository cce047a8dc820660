import Foundation

/// A call in the app's list.
final class Call {
    enum State {
        case ringing
        case connecting
        case active
        case held
        case ended
    }

    let uuid: UUID
    let handle: String
    let isOutgoing: Bool
    var state: State
    var isMuted = false
    var digits = ""
    var group: UUID?
    var connectedAt: Date?

    init(uuid: UUID, handle: String, isOutgoing: Bool) {
        self.uuid = uuid
        self.handle = handle
        self.isOutgoing = isOutgoing
        state = isOutgoing ? .connecting : .ringing
    }
}
