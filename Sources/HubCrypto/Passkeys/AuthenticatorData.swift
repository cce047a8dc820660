/// The authenticator data of a ceremony (WebAuthn section 6.1).
struct AuthenticatorData {
    /// A new credential.
    struct Credential {
        let id: [UInt8]
        let key: CBORValue
    }

    let siteHash: [UInt8]
    let isUserPresent: Bool
    let isUserVerified: Bool
    let counter: UInt32
    /// The new credential of a registration; nil: the data is of a use.
    let credential: Credential?

    /// The longest ID of a credential in bytes (WebAuthn section 4).
    static let maximumIDBytes = 1_023

    /// Parses the bytes, all of them.
    init(_ bytes: [UInt8]) throws(PasskeyError) {
        let flags = bytes.count >= Self.headBytes ? bytes[32] : 0
        // Backed up (BS) without being eligible for it (BE): no authenticator is in that state.
        guard bytes.count >= Self.headBytes, flags & 0x18 != 0x10 else { throw .malformed("authenticator data") }
        siteHash = Array(bytes[..<32])
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var end = Self.headBytes
        credential = flags & 0x40 != 0 ? try Self.credential(in: bytes, &end) : nil
        if flags & 0x80 != 0 {
            guard let (extensions, behind) = try? CBORReader.first(of: bytes, from: end), extensions.map != nil else {
                throw .malformed("authenticator data")
            }
            end = behind
        }
        guard end == bytes.count else { throw .malformed("authenticator data") }
    }

    /// Checks the parts that registration and use have in common.
    ///
    /// - Parameter site: The site of the connection.
    /// - Throws: `PasskeyError` for another site, or a user that was not present or not verified.
    func check(at site: PasskeySite) throws(PasskeyError) {
        guard ConstantTime.equal(siteHash, site.idHash) else { throw .wrongRelyingParty }
        guard isUserPresent else { throw .userNotPresent }
        guard isUserVerified else { throw .userNotVerified }
    }

    private static func credential(in bytes: [UInt8], _ end: inout Int) throws(PasskeyError) -> Credential {
        // The authenticator's model (AAGUID), 16 bytes, says nothing without attestation.
        let start = end + 16
        guard bytes.count >= start + 2 else { throw .malformed("authenticator data") }
        let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
        let behind = start + 2 + count
        guard (1...maximumIDBytes).contains(count), bytes.count >= behind,
            let (key, keyEnd) = try? CBORReader.first(of: bytes, from: behind)
        else { throw .malformed("authenticator data") }
        end = keyEnd
        return Credential(id: Array(bytes[start + 2..<behind]), key: key)
    }

    /// The bytes of hash, flags and counter.
    private static let headBytes = 37
}
