import HubEngine

/// A client program and its connection, with only the state that its messages have given it.
struct Client {
    /// The states of a client.
    enum State {
        /// Not signed in.
        case signedOut
        /// Waiting for the response to its sign-in or resume.
        case awaitingReply
        /// Signed in, as far as the client can say.
        case signedIn
        /// Without a connection.
        case lost
    }

    var state = State.signedOut
    /// The number of its connection: messages of an older one are discarded.
    var connection = 0
    var uplink = SimulatedPath<UplinkMessage>()
    var downlink = SimulatedPath<DownlinkMessage>()
    /// The number of its session, which it needs to resume.
    var hubSession: Int?
    /// The sequence number of the last notification received.
    var lastNumber = 0
    var notifiedState = NotifiedState()
    /// Requests without a reply, to be repeated after a resume.
    var unanswered: [(number: UInt64, request: Request)] = []
    var resends = false
    /// Actions that it has answered, to be answered again by mistake.
    var answered: [ActionUUID] = []
    var lastRequest: UInt64 = 0

    /// Breaks the connection; all messages under way are lost.
    mutating func breakConnection() {
        uplink.clear()
        downlink.clear()
        connection += 1
    }
}

/// A session, as the hub's server keeps it beside the engine: the connection, and the notifications for replay.
struct HubSession {
    let number: Int
    let session: SessionID
    /// The number of the connection; nil: it is lost, and the hub has noticed.
    var connection: Int?
    /// The state that the client has when all notifications have reached it.
    var notified = NotifiedState()
    var actionOutcomes = ActionOutcomes()
    /// External calls that were reported as connected before their start was fulfilled.
    var connectedEarly: [CallUUID] = []
    var log: [Notification] = []
    /// The provider in force.
    var provider: ProviderConfiguration
    /// The audio route, as of the last effect about it.
    var route = AudioRoute.closed
}
