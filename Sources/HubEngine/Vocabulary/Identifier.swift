/// 128 random bits that name one thing; the phantom `Kind` keeps a call's name from being taken for an action's.
///
/// On the wire it is a UUID in RFC 9562 text. Mixing up `action.uuid` and `action.callUUID` is a classic (pitfall P21):
/// here it does not compile.
public struct Identifier<Kind>: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Makes an identifier of its 128 bits, as they are.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an identifier by chance: a UUID of version 4 (RFC 9562 section 5.4), 122 bits of it random.
    public init(randomBits first: UInt64, _ second: UInt64) {
        high = (first & ~0xF000) | 0x4000
        low = (second & ~(0b11 << 62)) | (0b10 << 62)
    }

    /// Orders by value, so that lists have one order everywhere.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// What an `Identifier` may name.
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

/// Names a call on the devices of one account.
public typealias CallUUID = Identifier<IdentifierKind.Call>
/// Names an action.
public typealias ActionUUID = Identifier<IdentifierKind.Action>
/// Names a transaction.
public typealias TransactionUUID = Identifier<IdentifierKind.Transaction>
/// Names one activation of an audio session.
public typealias AudioSessionUUID = Identifier<IdentifierKind.AudioSession>
/// Names a group of calls.
public typealias GroupUUID = Identifier<IdentifierKind.Group>
/// Names an entry of Recents.
public typealias RecentUUID = Identifier<IdentifierKind.Recent>
