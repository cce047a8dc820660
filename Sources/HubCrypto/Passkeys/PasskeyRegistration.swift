public import HubWire

/// The verification of a new passkey.
extension PasskeyRegistration {
    /// A passkey whose registration was verified.
    public struct Verified: Sendable {
        /// The ID of the credential, 1 to 1,023 bytes.
        public let id: [UInt8]
        /// The public key.
        public let key: PasskeyPublicKey
        /// The signature counter; 0: the authenticator has none.
        public let counter: UInt32
    }

    /// Verifies the registration.
    ///
    /// Attestation is not asked for, as the make of an authenticator decides nothing here: the format may be any, and a
    /// statement is read as CBOR and not verified, which the standard permits as self-asserted (section 7.1, step 24).
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge.
    ///   - site: The site of the connection.
    /// - Returns: The passkey.
    /// - Throws: `PasskeyError` for the first part that is wrong.
    public func verified(_ challenge: [UInt8], at site: PasskeySite) throws(PasskeyError) -> Verified {
        try ClientData(clientData).check("webauthn.create", challenge, at: site)
        guard attestationObject.count <= Self.maximumBytes,
            let members = (try? CBORReader.value(of: attestationObject))?.map,
            let format = members[.text("fmt")]?.text, let statement = members[.text("attStmt")]?.map,
            let bytes = members[.text("authData")]?.bytes, format != "none" || statement.isEmpty
        else { throw .malformed("attestation object") }
        let data = try AuthenticatorData(bytes)
        try data.check(at: site)
        guard let credential = data.credential else { throw .malformed("authenticator data") }
        return Verified(id: credential.id, key: try PasskeyPublicKey(cose: credential.key), counter: data.counter)
    }

    /// The longest attestation object in bytes.
    ///
    /// More: room for chains of certificates that are not read anyway.
    private static let maximumBytes = 16_384
}
