/// Counters of requests refused for their number; they never decrease.
struct RefusalCounters {
    /// Messages beyond the rate of a connection.
    var messages = 0
    /// Sign-ins beyond the rate of an address.
    var signIns = 0
    /// Calls beyond a rate, by the rate.
    var calls: [CallRates.Limit: Int] = [:]
    /// Requests beyond the notifications that an account may cause.
    var fanOut = 0
    /// Searches for people, and subscriptions to their presence, beyond the rate of an account.
    var people = 0
    /// Changes of the own photo, password, passkeys and sessions beyond the rate of an account.
    var ownChanges = 0
    /// Sign-ins and calls while the hub was overloaded.
    var overload = 0

    /// The counters by the name of their limit.
    var byLimit: [(limit: String, count: Int)] {
        [
            ("messages", messages), ("signIns", signIns), ("callsByCaller", calls[.caller] ?? 0),
            ("callsByLink", calls[.invitation] ?? 0), ("callsToAccount", calls[.callee] ?? 0), ("caused", fanOut),
            ("people", people), ("ownChanges", ownChanges), ("overload", overload),
        ]
    }
}
