import HubEngine

// Decoding of the messages about passkeys (docs/protocol.md, Passkeys).

extension ClientMethod {
    func readPasskeyRequest(_ params: JSONMembers) throws(JSONMemberError) -> PasskeyRequest {
        switch self {
        case .passkeyChallenge: .challenge
        case .passkeysConfirm: .confirm
        case .passkeysCreate: .create(try params.userConfirmation())
        case .passkeysAdd:
            .add(
                PasskeyRegistration(
                    clientData: try params.binary("clientData"),
                    attestationObject: try params.binary("attestationObject")
                ),
                name: try params.passkeyName("name")
            )
        case .passkeysRename: .rename(id: try params.binary("id"), to: try params.passkeyName("name"))
        case .passkeysRemove: .remove(id: try params.binary("id"))
        default: .list
        }
    }
}

/// The passkey of a sign-in; every fault is one of `session.open`.
struct DecodedPasskeyAssertion: JSONDecodable {
    let assertion: PasskeyAssertion

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        assertion = PasskeyAssertion(
            credential: try members.binary("credential", orElse: .wrongType),
            clientData: try members.binary("clientData", orElse: .wrongType),
            authenticatorData: try members.binary("authenticatorData", orElse: .wrongType),
            signature: try members.binary("signature", orElse: .wrongType),
            userHandle: try members.binary("userHandle", orElse: .wrongType)
        )
    }
}

extension PasskeyReply {
    /// Decodes a result; nil if it is none about passkeys.
    init?(_ result: JSONMembers) throws(JSONMemberError) {
        if result.contains("user") {
            let user = try result.object("user", "be an object")
            self = .creation(
                PasskeyCreation(
                    try result.challenge(),
                    userID: try user.binary("id"),
                    account: try user.text("name"),
                    displayName: try user.text("displayName"),
                    algorithms: try result.required("algorithms", as: [Int].self, "be an array of whole numbers"),
                    exclude: try result.required("exclude", as: [DecodedBinary].self, "be an array").map(\.bytes)
                )
            )
        } else if result.contains("challenge") {
            self = .challenge(try result.challenge())
        } else if result.contains("passkeys") {
            self = .list(try result.required("passkeys", as: [DecodedPasskey].self, "be an array").map(\.passkey))
        } else if let value = result.value("passkey") {
            self = .added(try DecodedPasskey(value).passkey)
        } else {
            return nil
        }
    }
}

private struct DecodedPasskey: JSONDecodable {
    let passkey: Passkey

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        passkey = Passkey(
            id: try members.binary("id"),
            site: try members.text("rpId"),
            name: try members.text("name"),
            createdAt: try members.date("createdAt"),
            lastUsedAt: try members.optionalDate("lastUsedAt")
        )
    }
}

private struct DecodedBinary: JSONDecodable {
    let bytes: [UInt8]

    init(_ value: JSONValue) throws(JSONMemberError) {
        guard let bytes = try String(value).flatMap({ Base64URL.bytes(of: $0.utf8) }) else {
            throw JSONMemberError(.wrongType, value, "be base64url")
        }
        self.bytes = bytes
    }
}

extension JSONMembers {
    fileprivate func challenge() throws(JSONMemberError) -> PasskeyChallenge {
        PasskeyChallenge(
            try binary("challenge"),
            site: try text("rpId"),
            timeoutSeconds: try required("timeoutSeconds", "be a whole number")
        )
    }

    /// The password, or the passkey in its place; neither: the sign-in itself.
    fileprivate func userConfirmation() throws(JSONMemberError) -> UserConfirmation {
        let passkey = try optional("passkey", as: DecodedPasskeyAssertion.self, "be an object")?.assertion
        guard let passkey else {
            return try optionalText("password") == nil ? .freshSignIn : .password(try nonEmptyText("password"))
        }
        if try optionalText("password") != nil {
            throw fault("password", .wrongType, "be left out where params.passkey is given")
        }
        return .passkey(passkey)
    }

    /// Bytes in base64url without padding.
    fileprivate func binary(
        _ name: String,
        orElse kind: JSONMemberError.Kind = .invalidValue
    ) throws(JSONMemberError) -> [UInt8] {
        try required(name, "be base64url without padding", orElse: kind) { Base64URL.bytes(of: $0.utf8) }
    }

    fileprivate func passkeyName(_ name: String) throws(JSONMemberError) -> String {
        let requirement = "be a name of 1 to \(maximumNameBytes) bytes without control or invisible characters"
        return try required(name, requirement) { $0.isGuestName ? $0 : nil }
    }
}
