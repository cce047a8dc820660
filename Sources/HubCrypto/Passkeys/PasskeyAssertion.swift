public import HubWire

/// The verification of a passkey's use.
extension PasskeyAssertion {
    /// The challenge that the client data has, before anything is verified; nil: there is none.
    public var claimedChallenge: [UInt8]? { (try? ClientData(clientData))?.challenge }

    /// Verifies the assertion.
    ///
    /// - Parameters:
    ///   - challenge: The server's challenge.
    ///   - site: The site of the connection.
    ///   - key: The public key of the credential.
    ///   - user: The user of the credential.
    ///   - counter: The stored signature counter.
    /// - Returns: The new signature counter, to be stored.
    /// - Throws: `PasskeyError` for the first part that is wrong.
    public func verified(
        _ challenge: [UInt8],
        at site: PasskeySite,
        _ key: PasskeyPublicKey,
        of user: [UInt8],
        after counter: UInt32
    ) throws(PasskeyError) -> UInt32 {
        guard ConstantTime.equal(userHandle, user) else { throw .wrongUser }
        try ClientData(clientData).check("webauthn.get", challenge, at: site)
        let data = try AuthenticatorData(authenticatorData)
        guard data.credential == nil else { throw .malformed("authenticator data") }
        try data.check(at: site)
        guard key.verifies(signature, of: authenticatorData + SHA256.digest(clientData)) else { throw .wrongSignature }
        // Both 0: the authenticator has no counter, as all that synchronise passkeys.
        guard data.counter > counter || (data.counter == 0 && counter == 0) else { throw .counterWentBack }
        return data.counter
    }
}
