import HubEngine

// Encoding of the messages about passkeys (docs/protocol.md, Passkeys).

extension PasskeyRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .challenge, .confirm, .list, .create(.freshSignIn): break
        case .create(.password(let password)): params.member("password", password)
        case .create(.passkey(let assertion)): params.object("passkey") { assertion.writeMembers(to: &$0) }
        case .add(let registration, let name):
            params.member("clientData", Base64URL.text(of: registration.clientData))
            params.member("attestationObject", Base64URL.text(of: registration.attestationObject))
            params.member("name", name)
        case .rename(let id, let name):
            params.member("id", Base64URL.text(of: id))
            params.member("name", name)
        case .remove(let id): params.member("id", Base64URL.text(of: id))
        }
    }
}

extension PasskeyAssertion {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("credential", Base64URL.text(of: credential))
        writer.member("clientData", Base64URL.text(of: clientData))
        writer.member("authenticatorData", Base64URL.text(of: authenticatorData))
        writer.member("signature", Base64URL.text(of: signature))
        writer.member("userHandle", Base64URL.text(of: userHandle))
    }
}

extension PasskeyReply {
    func writeMembers(to result: inout JSONWriter) {
        switch self {
        case .challenge(let challenge): challenge.writeMembers(to: &result)
        case .creation(let creation):
            creation.challenge.writeMembers(to: &result)
            result.object("user") { writer in
                writer.member("id", Base64URL.text(of: creation.userID))
                writer.member("name", creation.account)
                writer.member("displayName", creation.displayName)
            }
            result.array("algorithms", creation.algorithms) { $0.value($1) }
            result.array("exclude", creation.exclude) { $0.value(Base64URL.text(of: $1)) }
        case .added(let passkey): result.object("passkey") { passkey.writeMembers(to: &$0) }
        case .list(let passkeys):
            result.array("passkeys", passkeys) { writer, passkey in
                writer.object { passkey.writeMembers(to: &$0) }
            }
        }
    }
}

extension PasskeyChallenge {
    fileprivate func writeMembers(to result: inout JSONWriter) {
        result.member("challenge", Base64URL.text(of: challenge))
        result.member("rpId", site)
        result.member("timeoutSeconds", timeoutSeconds)
    }
}

extension Passkey {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", Base64URL.text(of: id))
        writer.member("rpId", site)
        writer.member("name", name)
        writer.member("createdAt", createdAt)
        writer.optional("lastUsedAt", lastUsedAt) { $0.value($1) }
    }
}
