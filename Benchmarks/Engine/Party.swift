import HubEngine

/// Somebody with two devices.
struct Party {
    /// The account; its one handle has the same name.
    var account: String
    /// Both devices, signed in.
    var devices: [SessionID]
}

/// Two who call each other: the first device of each is the one that speaks.
struct Pair {
    var caller: Party
    var callee: Party
}

/// A call that lives, by the name that each side has for it.
struct LiveCall {
    var pair: Pair
    var outgoing: CallUUID
    var incoming: CallUUID
}
