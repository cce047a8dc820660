/// A message that only one subscribed browser can read: RFC 8291's `aes128gcm`, in one record (RFC 8188).
///
/// `body` is what is sent, with `Content-Encoding: aes128gcm`.
public struct PushMessage: Hashable, Sendable {
    /// The longest text with its padding, in bytes.
    ///
    /// Push services must take 4,096 bytes (RFC 8030 section 7.2); head, delimiter and tag are 103 of them.
    public static let maximumBytes = 4096 - headBytes - 1 - tagBytes

    /// Head and sealed text.
    public let body: [UInt8]

    /// Encrypts a text with a fresh salt and a fresh key.
    ///
    /// - Parameters:
    ///   - text: What the browser's service worker is to read.
    ///   - subscription: Whose it is.
    ///   - paddedTo: So many bytes it is made to look like, if it has fewer: then its length tells nothing.
    /// - Throws: ``PushFault/tooLong(bytes:)`` beyond ``maximumBytes``, and ``PushFault/library``.
    public init(_ text: [UInt8], for subscription: PushSubscription, paddedTo: Int = 0) throws(PushFault) {
        guard let key = AsymmetricKey(freshFor: .es256) else { throw .library }
        let padding = paddedTo > text.count ? paddedTo - text.count : 0
        try self.init(text, for: subscription, padding: padding, key: key, salt: SecureRandom.bytes(16))
    }

    /// Encrypts a text with a salt and a key of the caller's: each may serve once only.
    init(
        _ text: [UInt8],
        for subscription: PushSubscription,
        padding: Int,
        key: AsymmetricKey,
        salt: [UInt8]
    ) throws(PushFault) {
        let (length, overflows) = text.count.addingReportingOverflow(padding)
        guard !overflows, length <= Self.maximumBytes else { throw .tooLong(bytes: overflows ? .max : length) }
        guard let browser = AsymmetricKey(p256Point: subscription.point) else { throw .p256dh }
        let own = key.p256Point
        var shared = key.agreement(with: browser)
        var sealing = Sealing(shared: shared, own: own, subscription: subscription, salt: salt)
        defer {
            shared.wipe()
            sealing.wipe()
        }
        guard shared.count == 32, own.count == 65, salt.count == 16 else { throw .library }
        // RFC 8188 section 2: 2 marks the last record; zeros behind it are padding.
        let record = text + [2] + [UInt8](repeating: 0, count: padding)
        guard let sealed = AES128GCM.seal(record, key: sealing.key, nonce: sealing.nonce) else { throw .library }
        body = salt + Self.recordSize.bigEndianBytes + [UInt8(own.count)] + own + sealed
    }

    /// Salt, record size, the key's length and the key.
    private static let headBytes = 16 + 4 + 1 + 65
    private static let tagBytes = 16
    /// What RFC 8291 section 4 wants at least; there is one record, however short.
    private static let recordSize: UInt32 = 4096
}

/// What a message is sealed with: RFC 8291 section 3.4.
private struct Sealing {
    var key: [UInt8]
    var nonce: [UInt8]

    init(shared: [UInt8], own: [UInt8], subscription: PushSubscription, salt: [UInt8]) {
        let info = Array("WebPush: info".utf8) + [0] + subscription.point + own
        var secret = HMAC.derived(from: shared, salt: subscription.secret, info: info, count: 32)
        defer { secret.wipe() }
        let (keyInfo, nonceInfo) = ("Content-Encoding: aes128gcm\0", "Content-Encoding: nonce\0")
        key = HMAC.derived(from: secret, salt: salt, info: Array(keyInfo.utf8), count: 16)
        nonce = HMAC.derived(from: secret, salt: salt, info: Array(nonceInfo.utf8), count: 12)
    }

    mutating func wipe() {
        key.wipe()
        nonce.wipe()
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    }
}
