import HubEngine

/// A client program and its connection: it knows what has reached it, not what the hub knows.
struct Client {
    /// How it stands with the hub.
    enum Standing {
        /// Not signed in.
        case away
        /// Has asked to be let in, and waits.
        case asking
        /// Signed in, as far as it knows.
        case present
        /// Has lost its connection.
        case lost
    }

    var standing = Standing.away
    /// Which of its connections this is: what belongs to an older one reaches nobody.
    var connection = 0
    var up = Link<Upward>()
    var down = Link<Downward>()
    /// The hub's name for its session, which it needs to resume.
    var seat: Int?
    /// The last number told.
    var lastNumber = 0
    var view = View()
    /// What it has asked and not heard of, to ask again after a resume.
    var unanswered: [(number: UInt64, request: Request)] = []
    var resends = false
    /// What it has answered, to answer again by mistake.
    var answered: [ActionUUID] = []
    var lastRequest: UInt64 = 0

    /// Whatever is under way is lost.
    mutating func cut() {
        up.clear()
        down.clear()
        connection += 1
    }
}

/// A session, as the hub's server keeps it beside the engine: the connection, and what was told, to tell it again.
struct Seat {
    let number: Int
    let session: SessionID
    /// Nil: the connection is lost, and the hub knows it.
    var connection: Int?
    /// What the client will know when all has reached it.
    var told = View()
    var ledger = Ledger()
    var log: [Notification] = []
    /// The provider in force.
    var provider: ProviderConfiguration
    /// The route, as the effects tell of it.
    var route = AudioRoute.closed
}
