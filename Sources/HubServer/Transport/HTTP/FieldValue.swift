/// The value of a header field of a request (RFC 9110 section 5.5).
///
/// Only ASCII is accepted, so that strings compare byte by byte: comparing others under Unicode normalisation takes
/// milliseconds for a few kilobytes that an attacker chooses.
enum FieldValue: Equatable {
    /// No such field, or an empty one.
    case absent

    /// More than ``maximumBytes`` bytes, or other bytes than visible ASCII, spaces and tabs.
    case unreadable

    /// Up to ``maximumBytes`` bytes of visible ASCII, spaces and tabs; values of several lines are joined by commas.
    case text(String)

    /// The maximum length in bytes of a value or path.
    ///
    /// More: longer lists of proxies and subprotocols pass; an attacker's request costs the loop more time.
    static let maximumBytes = 1_024

    /// The rule that an unreadable value breaks, for refusals.
    static let rule = "at most \(maximumBytes) bytes of ASCII"
}
