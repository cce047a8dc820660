public import HubEngine

/// The person or program whose act is in the audit log.
public struct AuditActor: Hashable, Sendable {
    /// The way by which the act came.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// A request of a session.
        case session
        /// A client that has not signed in, by an invitation.
        case invitation
        /// A user whom the OpenID provider has signed in.
        case provider
        /// A command on the hub's machine.
        case commandLine
        /// A signal to the hub's process.
        case signal
        /// The hub itself.
        case server
    }

    /// The way by which the act came.
    public var origin: Origin
    /// The account of the session, or the one that was created; nil: none.
    public var account: String?
    /// The name or identifier of the session's device; nil: none.
    public var device: String?
    /// The address of the session's connection; nil: none.
    public var address: String?
    /// The system user of the command; nil: none.
    public var user: String?

    /// Creates an actor.
    public init(
        _ origin: Origin,
        account: String? = nil,
        device: String? = nil,
        address: String? = nil,
        user: String? = nil
    ) {
        self.origin = origin
        self.account = account
        self.device = device
        self.address = address
        self.user = user
    }
}

/// An administrative act; never a password, a secret or a token.
public struct AuditAct: Hashable, Sendable {
    /// The name of the act, such as `account.disable`.
    public var name: String
    /// The account, call, session or invitation that it is about; nil: none.
    public var target: String?
    /// Further details, such as a handle; nil: none.
    public var detail: String?

    /// Creates an act.
    public init(_ name: String, on target: String? = nil, _ detail: String? = nil) {
        self.name = name
        self.target = target
        self.detail = detail
    }
}

/// The outcome of an administrative act.
public enum AuditResult: String, Hashable, Sendable, CaseIterable {
    /// The act was done, in the same transaction as its entry was stored.
    case done
    /// The entry was stored before the act began.
    case begun
    /// The act was refused or has failed, and has changed nothing.
    case refused
}

/// An entry of the audit log, with the hash of the entry before it.
public struct AuditEntry: Hashable, Sendable {
    /// The number of the entry, from 1 and without gaps.
    public var number: Int64
    /// The time, in milliseconds.
    public var at: Instant
    /// The person or program.
    public var actor: AuditActor
    /// The act.
    public var act: AuditAct
    /// The outcome.
    public var result: AuditResult
    /// The reason of a refusal; nil: there was none.
    public var reason: String?
    /// The SHA-256 of the entry before; zeros for the first one.
    public var previous: [UInt8]
    /// The SHA-256 of this entry.
    public var hash: [UInt8]

    /// Creates an entry without its hash.
    public init(
        number: Int64,
        at: Instant,
        by actor: AuditActor,
        _ act: AuditAct,
        _ result: AuditResult,
        reason: String? = nil,
        after previous: [UInt8]
    ) {
        self.number = number
        self.at = at
        self.actor = actor
        self.act = act
        self.result = result
        self.reason = reason
        self.previous = previous
        hash = []
    }

    /// The bytes whose SHA-256 is the entry's hash (docs/operations.md, Audit log).
    ///
    /// Each field is a netstring, `LENGTH:BYTES,`, or `-` if it is absent.
    public var hashedBytes: [UInt8] {
        var bytes: [UInt8] = []
        let fields: [String?] = [
            previous.hexadecimal, String(number), RFC3339.text(of: at), actor.origin.rawValue, actor.account,
            actor.device, actor.address, actor.user, act.name, act.target, act.detail, result.rawValue, reason,
        ]
        for field in fields {
            guard let field else {
                bytes.append(UInt8(ascii: "-"))
                continue
            }
            bytes += "\(field.utf8.count):".utf8
            bytes += field.utf8
            bytes.append(UInt8(ascii: ","))
        }
        return bytes
    }
}

/// The last entry of an audit log, which is to be noted elsewhere: it shows if later ones were cut off.
public struct AuditHead: Hashable, Sendable {
    /// The number of the entry.
    public var number: Int64
    /// Its SHA-256.
    public var hash: [UInt8]

    /// Creates a head.
    public init(number: Int64, hash: [UInt8]) {
        self.number = number
        self.hash = hash
    }
}

/// The outcome of the verification of an audit log.
public struct AuditVerification: Hashable, Sendable {
    /// The number of entries.
    public var count: Int
    /// The last entry that is stored; nil: there is none.
    public var head: AuditHead?
    /// The number of the first entry at fault; nil: there is none.
    public var faultAt: Int64?
    /// The fault as a sentence; nil: there is none.
    public var fault: String?

    /// Creates an outcome.
    public init(count: Int, head: AuditHead?, faultAt: Int64? = nil, fault: String? = nil) {
        self.count = count
        self.head = head
        self.faultAt = faultAt
        self.fault = fault
    }
}

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Parses hexadecimal digits; nil if there are others, or an odd number.
    public init?(hexadecimal text: String) {
        let digits = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return nil }
        let values = digits.compactMap(\.self)
        self = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
