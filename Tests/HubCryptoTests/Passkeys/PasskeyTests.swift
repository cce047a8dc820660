import Foundation
import HubWire
import Testing

@testable import HubCrypto

/// The verification of passkeys that another implementation has made, and of what an attacker makes of them.
struct PasskeyTests {
    // MARK: What is right

    @Test(arguments: ["ES256", "EdDSA"], [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func `a passkey of python-fido2 is registered and used`(algorithm: String, counter: Int) throws {
        let passkey = try TestPasskey(algorithm, counter: counter)
        let verified = try passkey.registration.verified(TestPasskey.challenge, at: passkey.site)
        #expect(verified.id == passkey.id)
        #expect(verified.counter == 0)
        #expect(verified.key.algorithm == (algorithm == "ES256" ? .es256 : .edDSA))
        let stored = try #require(
            PasskeyPublicKey(algorithm: verified.key.algorithm.rawValue, bytes: verified.key.bytes)
        )
        #expect(try passkey.verify(stored) == UInt32(counter))
    }

    @Test(arguments: ["none", "packed", "a-format-of-tomorrow"], [false, true])
    func `any format of attestation is accepted, and extensions are`(format: String, hasExtensions: Bool) throws {
        let passkey = try TestPasskey(format: format, hasExtensions: hasExtensions)
        #expect(try passkey.verify(passkey.key()) == 0)
    }

    @Test(arguments: [
        ("https://hub.example", "hub.example"), ("https://HUB.example:8443", "hub.example"),
        ("http://localhost:8080", "localhost"), ("http://my.localhost", "my.localhost"),
        ("https://1and1.example", "1and1.example"),
    ])
    func `the site of a page is its host name`(origin: String, id: String) throws {
        #expect(PasskeySite(origin: origin)?.id == id)
    }

    @Test(arguments: [
        "http://hub.example", "https://127.0.0.1", "https://127.0.0.1:8443", "https://[::1]:8080", "https://2130706433",
        "https://0x7f000001", "https://127.1", "null", "", "https://", "file:///", "ftp://hub.example", "https://a b",
        "https://hub.example.", "https://.example", "https://hub..example", "https://hub.example:0",
        "https://hub.example:65536", "https://hub.example:1:2", "https://user@hub.example", "https://hub.example/path",
        "https://" + String(repeating: "a", count: 300) + ".example",
    ])
    func `a page of an address, or of no secure origin, cannot have passkeys`(origin: String) {
        #expect(PasskeySite(origin: origin) == nil)
    }

    // MARK: What is wrong

    @Test(arguments: ["ES256", "EdDSA"])
    func `with any bit of a use changed it is refused`(algorithm: String) throws {
        let passkey = try TestPasskey(algorithm, counter: 9)
        let key = try passkey.key()
        let parts: [WritableKeyPath<PasskeyAssertion, [UInt8]>] = [
            \.clientData, \.authenticatorData, \.signature, \.userHandle,
        ]
        for part in parts {
            for index in passkey.assertion[keyPath: part].indices {
                for bit in 0..<8 {
                    var changed = passkey.assertion
                    changed[keyPath: part][index] ^= 1 << bit
                    #expect(throws: PasskeyError.self) { try passkey.verify(key, using: changed) }
                }
            }
            var shorter = passkey.assertion
            shorter[keyPath: part].removeLast()
            #expect(throws: PasskeyError.self) { try passkey.verify(key, using: shorter) }
            var longer = passkey.assertion
            longer[keyPath: part].append(0)
            #expect(throws: PasskeyError.self) { try passkey.verify(key, using: longer) }
            var empty = passkey.assertion
            empty[keyPath: part] = []
            #expect(throws: PasskeyError.self) { try passkey.verify(key, using: empty) }
        }
    }

    @Test func `another challenge, page, site, user or ceremony is refused by its name`() throws {
        let passkey = try TestPasskey()
        let key = try passkey.key()
        var challenge = TestPasskey.challenge
        challenge[31] ^= 1
        let refusals: [(PasskeyError, () throws -> UInt32)] = [
            (.wrongChallenge, { try passkey.verify(key, challenge: challenge) }),
            (.wrongChallenge, { try passkey.verify(key, challenge: []) }),
            (.wrongOrigin, { try passkey.verify(key, at: PasskeySite(origin: "https://hub.example")) }),
            (.wrongOrigin, { try passkey.verify(key, at: PasskeySite(origin: "https://evil.example:8443")) }),
            (.wrongUser, { try passkey.verify(key, of: [UInt8](repeating: 8, count: 64)) }),
            (.wrongUser, { try passkey.verify(key, of: []) }),
            (
                .wrongType,
                {
                    var other = passkey.assertion
                    other.clientData = passkey.registration.clientData
                    return try passkey.verify(key, using: other)
                }
            ),
        ]
        for (expected, body) in refusals { #expect(fault(PasskeyError.self) { _ = try body() } == expected) }
        let other = try TestPasskey()
        #expect(throws: PasskeyError.wrongSignature) { try passkey.verify(other.key()) }
        let edwards = try TestPasskey("EdDSA")
        #expect(throws: PasskeyError.wrongSignature) { try passkey.verify(edwards.key()) }
    }

    @Test func `a signature counter that has not increased is refused`() throws {
        let passkey = try TestPasskey(counter: 5)
        let key = try passkey.key()
        for stored: UInt32 in [0, 4] { #expect(try passkey.verify(key, after: stored) == 5) }
        for stored: UInt32 in [5, 6, .max] {
            #expect(throws: PasskeyError.counterWentBack) { try passkey.verify(key, after: stored) }
        }
        let without = try TestPasskey()
        #expect(throws: PasskeyError.counterWentBack) { try without.verify(without.key(), after: 1) }
    }

    @Test func `flags of presence and verification are required, and impossible ones refused`() throws {
        let passkey = try TestPasskey()
        for (flags, expected): (UInt8, PasskeyError) in [
            (0x04, .userNotPresent), (0x00, .userNotPresent), (0x01, .userNotVerified),
            (0x15, .malformed("authenticator data")), (0x45, .malformed("authenticator data")),
            (0x85, .malformed("authenticator data")),
        ] {
            var changed = passkey.assertion
            changed.authenticatorData[32] = flags
            let found = fault(PasskeyError.self) { _ = try passkey.verify(passkey.key(), using: changed) }
            #expect(found == expected, "\(flags)")
        }
    }

    @Test(arguments: [
        #"{"type":"webauthn.get","challenge":"C","origin":"O","crossOrigin":true}"#,
        #"{"type":"webauthn.get","challenge":"C","origin":"O","topOrigin":"https://a.example"}"#,
        #"{"type":"webauthn.get","challenge":"C","origin":"O","crossOrigin":"false"}"#,
        #"{"type":"webauthn.get","challenge":"C","origin":"O","origin":"O"}"#,
        #"{"type":"webauthn.get","challenge":"C=","origin":"O"}"#, #"{"challenge":"C","origin":"O"}"#,
        #"["webauthn.get"]"#, "", "{", "\u{FEFF}{}",
    ])
    func `client data of an embedded page, or with a part twice or malformed, is refused`(template: String) throws {
        let text = template.replacingOccurrences(of: "\"C", with: "\"" + Base64URL.text(of: TestPasskey.challenge))
            .replacingOccurrences(of: "\"O\"", with: "\"https://hub.example\"")
        let site = try #require(PasskeySite(origin: "https://hub.example"))
        #expect(throws: PasskeyError.self) {
            try ClientData(Array(text.utf8)).check("webauthn.get", TestPasskey.challenge, at: site)
        }
    }

    @Test func `members of client data that are not known are ignored`() throws {
        let site = try #require(PasskeySite(origin: "https://hub.example"))
        let text = """
            {"type":"webauthn.get","challenge":"\(Base64URL.text(of: TestPasskey.challenge))","origin":"https://hub.example",
            "crossOrigin":false,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template"}
            """
        try ClientData(Array(text.utf8)).check("webauthn.get", TestPasskey.challenge, at: site)
    }

    // MARK: Registrations

    @Test func `with any byte of a registration changed it is refused, or another key that verifies nothing`() throws {
        let passkey = try TestPasskey()
        for index in passkey.registration.attestationObject.indices {
            var changed = passkey.registration
            changed.attestationObject[index] ^= 0x21
            guard let made = try? changed.verified(TestPasskey.challenge, at: passkey.site) else { continue }
            // The model, the counter and the ID are the authenticator's word alone.
            guard made.key.bytes != (try passkey.key().bytes) else { continue }
            #expect(throws: PasskeyError.self) { try passkey.verify(made.key) }
        }
        let text = String(decoding: passkey.registration.clientData, as: UTF8.self)
        let name = try #require(text.firstRange(of: "crossOrigin"))
        // With another name it is a member that is not known.
        let unknown = text[..<name.lowerBound].utf8.count..<text[..<name.upperBound].utf8.count
        for index in passkey.registration.clientData.indices where !unknown.contains(index) {
            var changed = passkey.registration
            changed.clientData[index] ^= 0x21
            #expect(throws: PasskeyError.self) { try changed.verified(TestPasskey.challenge, at: passkey.site) }
        }
        for count in passkey.registration.attestationObject.indices {
            var shorter = passkey.registration
            shorter.attestationObject = Array(shorter.attestationObject.prefix(count))
            #expect(throws: PasskeyError.self) { try shorter.verified(TestPasskey.challenge, at: passkey.site) }
        }
    }

    @Test func `a use is no registration, and none of another challenge is`() throws {
        let passkey = try TestPasskey()
        #expect(throws: PasskeyError.wrongChallenge) { try passkey.registration.verified([1], at: passkey.site) }
        var use = passkey.registration
        use.clientData = passkey.assertion.clientData
        #expect(throws: PasskeyError.wrongType) { try use.verified(TestPasskey.challenge, at: passkey.site) }
    }
}
