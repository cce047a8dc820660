/// The counters of the hub besides those of sockets and relay; they never decrease.
struct HubCounters {
    /// Sessions opened by a sign-in.
    var sessionsOpened = 0
    /// Sessions resumed on a new connection.
    var resumes = 0
    /// Connections of sessions that were lost.
    var losses = 0
    /// Ends of sessions, by `SessionEnd` or "left".
    var sessionEnds: [String: Int] = [:]
    /// Notifications of changed presence.
    var presenceNotifications = 0
    /// Changed people in these notifications.
    var presenceChanges = 0
    /// Error responses by code.
    ///
    /// The code of internal errors is present from the start: otherwise an alert on its increase would miss the first
    /// one.
    var errors: [Int: Int] = [-32603: 0]
}
