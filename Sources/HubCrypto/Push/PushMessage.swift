/// A message that only one subscribed browser can decrypt: RFC 8291's `aes128gcm`, in one record (RFC 8188).
///
/// `body` is the request body, to be sent with `Content-Encoding: aes128gcm`.
public struct PushMessage: Hashable, Sendable {
    /// The longest text with its padding, in bytes.
    ///
    /// Push services must accept 4,096 bytes (RFC 8030 section 7.2); header, delimiter and tag are 103 of them.
    public static let maximumBytes = 4096 - headerBytes - 1 - tagBytes

    /// The header and the ciphertext.
    public let body: [UInt8]

    /// Encrypts a text with a fresh salt and a fresh key.
    ///
    /// - Parameters:
    ///   - text: The plaintext for the browser's service worker.
    ///   - recipient: The browser.
    ///   - paddedTo: The minimum length in bytes to pad the text to, so that its length discloses nothing.
    /// - Throws: ``PushError/tooLong(bytes:)`` beyond ``maximumBytes``, ``PushError/p256dh`` if the browser's key is
    ///   invalid, and ``PushError/library`` if OpenSSL is out of memory or randomness.
    public init(_ text: [UInt8], for recipient: PushRecipient, paddedTo: Int = 0) throws(PushError) {
        guard let key = AsymmetricKey(generatingFor: .es256) else { throw .library }
        let padding = paddedTo > text.count ? paddedTo - text.count : 0
        try self.init(text, for: recipient, padding: padding, key: key, salt: SecureRandom.bytes(16))
    }

    /// Encrypts a text with a given salt and key, each of which may be used only once.
    init(
        _ text: [UInt8],
        for recipient: PushRecipient,
        padding: Int,
        key: AsymmetricKey,
        salt: [UInt8]
    ) throws(PushError) {
        let (length, overflows) = text.count.addingReportingOverflow(padding)
        guard !overflows, length <= Self.maximumBytes else { throw .tooLong(bytes: overflows ? .max : length) }
        guard let browser = AsymmetricKey(p256Point: recipient.point) else { throw .p256dh }
        let senderPublicKey = key.p256Point
        var sharedSecret = key.agreement(with: browser)
        var sealing = ContentEncryptionKeys(
            sharedSecret: sharedSecret,
            senderPublicKey: senderPublicKey,
            recipient: recipient,
            salt: salt
        )
        defer {
            sharedSecret.wipe()
            sealing.wipe()
        }
        guard sharedSecret.count == 32, senderPublicKey.count == 65, salt.count == 16 else { throw .library }
        // RFC 8188 section 2: 2 marks the last record; the zeros after it are padding.
        let record = text + [2] + [UInt8](repeating: 0, count: padding)
        guard let sealed = AES128GCM.seal(record, key: sealing.key, nonce: sealing.nonce) else { throw .library }
        body = salt + Self.recordSize.bigEndianBytes + [UInt8(senderPublicKey.count)] + senderPublicKey + sealed
    }

    /// The length of salt, record size, key length and key.
    private static let headerBytes = 16 + 4 + 1 + 65
    private static let tagBytes = 16
    /// The minimum of RFC 8291 section 4; there is one record, however short.
    private static let recordSize: UInt32 = 4096
}

/// The content encryption key and nonce of a message (RFC 8291 section 3.4).
private struct ContentEncryptionKeys {
    var key: [UInt8]
    var nonce: [UInt8]

    init(sharedSecret: [UInt8], senderPublicKey: [UInt8], recipient: PushRecipient, salt: [UInt8]) {
        let info = Array("WebPush: info".utf8) + [0] + recipient.point + senderPublicKey
        var secret = HMAC.hkdf(from: sharedSecret, salt: recipient.secret, info: info, count: 32)
        defer { secret.wipe() }
        let (keyInfo, nonceInfo) = ("Content-Encoding: aes128gcm\0", "Content-Encoding: nonce\0")
        key = HMAC.hkdf(from: secret, salt: salt, info: Array(keyInfo.utf8), count: 16)
        nonce = HMAC.hkdf(from: secret, salt: salt, info: Array(nonceInfo.utf8), count: 12)
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
