/// The identifier of an invitation: all guests who have opened it share the identifier, and no other party has it.
///
/// Not a secret: it does not authenticate anybody.
public struct InvitationID: Hashable, Sendable {
    /// The identifier: 1 to 64 ASCII letters, digits, `-`, `.`, `_` and `~`.
    public let text: String

    /// Creates an identifier from its text; nil if the text is not valid.
    public init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                true
            default: false
            }
        }
        guard (1...64).contains(text.utf8.count), isPlain else { return nil }
        self.text = text
    }
}

extension InvitationID: CustomStringConvertible {
    /// The identifier as it is.
    public var description: String { text }
}
