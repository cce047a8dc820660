/// A 128-bit identifier; the phantom type `Kind` keeps identifiers of different objects apart.
///
/// In the protocol it is a UUID in RFC 9562 text. Mixing up `action.uuid` and `action.callUUID` is a common mistake
/// (pitfall P21): here it does not compile.
public struct Identifier<Kind>: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Creates an identifier from its 128 bits, unchanged.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an identifier from random bits: a UUID of version 4 (RFC 9562 section 5.4), 122 bits of it random.
    public init(randomBits first: UInt64, _ second: UInt64) {
        high = (first & ~0xF000) | 0x4000
        low = (second & ~(0b11 << 62)) | (0b10 << 62)
    }

    /// Orders by value, so that sorted lists are the same everywhere.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// The kinds of object that an `Identifier` identifies.
public enum IdentifierKind {
    /// A call, as its owner sees it: a CXCall's `uuid`.
    public enum Call {}
    /// A CXAction's `uuid`.
    public enum Action {}
    /// A CXTransaction's `uuid`.
    public enum Transaction {}
    /// One activation of a device's audio session.
    public enum AudioSession {}
    /// A group of merged calls.
    public enum Group {}
    /// An entry of Recents.
    public enum Recent {}
}

/// The identifier of a call on the devices of one account.
public typealias CallUUID = Identifier<IdentifierKind.Call>
/// The identifier of an action.
public typealias ActionUUID = Identifier<IdentifierKind.Action>
/// The identifier of a transaction.
public typealias TransactionUUID = Identifier<IdentifierKind.Transaction>
/// The identifier of one activation of an audio session.
public typealias AudioSessionUUID = Identifier<IdentifierKind.AudioSession>
/// The identifier of a group of calls.
public typealias GroupUUID = Identifier<IdentifierKind.Group>
/// The identifier of an entry of Recents.
public typealias RecentUUID = Identifier<IdentifierKind.Recent>
