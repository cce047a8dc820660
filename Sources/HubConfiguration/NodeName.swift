/// The rules for the name of a hub's node, which distinguishes hubs in logs and in the protocol.
enum NodeName {
    /// The form of a name, for error messages.
    static let rule = "1 to 64 letters, digits, \".\", \"_\" or \"-\""

    /// Checks the form of a name.
    static func isValid(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil }
}
