/// What the hub counts beside the sockets and the relay; numbers only grow.
struct HubCounters {
    /// Sign-ins.
    var sessionsOpened = 0
    /// Sessions taken up on a new connection.
    var resumes = 0
    /// Sessions whose connection was lost.
    var losses = 0
    /// Ends of sessions, by `SessionEnd` or "left".
    var sessionEnds: [String: Int] = [:]
    /// Errors answered, by code.
    ///
    /// The hub's own fault is there from the beginning: an alert on its growth would miss the first one else.
    var errors: [Int: Int] = [-32603: 0]
}
