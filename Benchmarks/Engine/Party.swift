import HubEngine

/// An account with two devices.
struct Party {
    /// The account; its one handle has the same name.
    var account: String
    /// Both devices, signed in.
    var devices: [SessionID]
}

/// Two accounts that call each other with the first device of each.
struct Pair {
    var caller: Party
    var callee: Party
}

/// A live call, with the UUID that it has on each side.
struct LiveCall {
    var pair: Pair
    var outgoing: CallUUID
    var incoming: CallUUID
}
