import Foundation
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

struct KeySetTests {
    private let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"
    private let point =
        #""crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
        + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
    private let edwards = #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#

    private func set(_ keys: String...) throws(KeySetError) -> KeySet {
        try KeySet(Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8))
    }

    private func refusal(_ keys: String...) -> String {
        fault(KeySetError.self) { _ = try KeySet(Array("{\"keys\":[\(keys.joined(separator: ","))]}".utf8)) }?
            .description
            ?? "taken"
    }

    @Test func `a key set with all three key types is read`() throws {
        let keys = try set(
            #"{"kty":"oct","kid":"shared","k":"\#(secret)","alg":"HS256"}"#,
            #"{"kty":"EC",\#(point),"kid":"curve","use":"sig","key_ops":["verify"],"x5t":"ignored"}"#,
            #"{\#(edwards),"alg":"Ed25519"}"#
        )
        #expect(keys.summary == ["\"shared\", HS256", "\"curve\", ES256", "a key without kid, EdDSA"])
        #expect(keys.ignored.isEmpty)
        #expect(keys.key(named: "curve")?.algorithm == .es256)
        #expect(keys.key(named: "Curve") == nil)
        #expect(keys.key(named: "") == nil)
    }

    @Test func `keys for other uses are skipped, each with a warning`() throws {
        let keys = try set(
            #"{"kty":"RSA","kid":"r","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-384","x":"","y":""}"#,
            #"{"kty":"OKP","crv":"X25519","x":"","kid":"e"}"#,
            #"{"kty":"oct","k":"","use":"enc"}"#,
            #"{"kty":"oct","k":"","alg":"HS512"}"#,
            #"{\#(edwards),"key_ops":["sign"]}"#,
            #"{\#(edwards),"kid":"right"}"#
        )
        #expect(keys.summary == ["\"right\", EdDSA"])
        #expect(
            keys.ignored == [
                #"keys[0] (kid "r") is an RSA key of another size than 2048 to 8192 bits."#,
                "keys[1] is of another kind than oct, RSA, EC with P-256 or OKP with Ed25519.",
                #"keys[2] (kid "e") is of another kind than oct, RSA, EC with P-256 or OKP with Ed25519."#,
                #"keys[3] is for the use "enc", not for "sig"."#,
                #"keys[4] is for "HS512", not for HS256, RS256, ES256 or EdDSA."#,
                #"keys[5] has key_ops without "verify"."#,
            ]
        )
    }

    @Test func `an invalid key invalidates the set, with a sentence that gives its index`() {
        let good = "{\(edwards)}"
        let zeros = Base64URL.text(of: [UInt8](repeating: 0, count: 32))
        let refusals: [(String, String)] = [
            ("1", "keys[1] must be an object."),
            ("{}", "keys[1] has no kty; it must be \"oct\", \"RSA\", \"EC\" or \"OKP\"."),
            (#"{"kty":1}"#, "keys[1] has a kty that is no string."),
            (#"{"kty":"oct","kid":7}"#, "keys[1].kid must be a string with something in it."),
            (#"{"kty":"oct","kid":""}"#, "keys[1].kid must be a string with something in it."),
            (#"{"kty":"oct","kid":"a"}"#, #"keys[1] (kid "a") has no k."#),
            (#"{"kty":"oct","k":"c2hvcnQ"}"#, "keys[1] has a secret of 5 bytes; HS256 needs 32 or more."),
            (#"{"kty":"oct","k":"\#(secret)="}"#, "keys[1] has a k that is not base64url."),
            (
                #"{"kty":"oct","k":"\#(secret)","alg":"ES256"}"#,
                #"keys[1] has the alg "ES256", which its kty does not fit; it must be HS256."#
            ),
            (
                #"{"kty":"EC",\#(point),"alg":"HS256"}"#,
                #"keys[1] has the alg "HS256", which its kty does not fit; it must be ES256."#
            ),
            (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "keys[1] has a x of 1 bytes; it must have 32."),
            (
                #"{"kty":"EC","crv":"P-256","x":"\#(zeros)","y":"\#(zeros)"}"#,
                "keys[1] has x and y that are no point of P-256."
            ),
            (
                #"{\#(edwards),"d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}"#,
                "keys[1] has its private half \"d\"; the hub needs the public one, and the other is the issuer's alone."
            ),
            (#"{\#(edwards),"key_ops":"verify"}"#, "keys[1] has key_ops that are no array of different strings."),
            (
                #"{\#(edwards),"key_ops":["verify","verify"]}"#,
                "keys[1] has key_ops that are no array of different strings."
            ),
            (#"{\#(edwards),"use":true}"#, "keys[1] has a use that is no string."),
        ]
        for (key, sentence) in refusals { #expect(refusal(good, key) == sentence) }
    }

    @Test func `duplicate key ids are refused`() throws {
        let key = #"{\#(edwards),"kid":"a"}"#
        #expect(refusal(key, key) == #"keys[1] has the kid "a" of a key before it; each must have its own."#)
        // They look the same and are not.
        _ = try set("{\(edwards),\"kid\":\"\u{E9}\"}", "{\(edwards),\"kid\":\"e\u{301}\"}")
    }

    @Test(arguments: [
        ("", "The key set is not JSON at byte 0."),
        ("[]", "The key set must be a JSON object whose member \"keys\" is an array of keys."),
        ("{\"keys\":{}}", "The key set must be a JSON object whose member \"keys\" is an array of keys."),
        ("{\"keys\":[],\"keys\":[]}", "The key set has the member \"keys\" twice."),
        ("{\"keys\":[]}", "The key set has no key for HS256, RS256, ES256 or EdDSA; it must have one at least."),
    ])
    func `an invalid key set is refused`(text: String, sentence: String) {
        #expect(fault(KeySetError.self) { _ = try KeySet(Array(text.utf8)) }?.description == sentence)
    }

    @Test func `a key set without usable keys, or one that is too long, is refused with the reason`() {
        #expect(
            refusal(#"{"kty":"EC","crv":"P-384"}"#)
                == "The key set has no key for HS256, RS256, ES256 or EdDSA; it must have one at least (keys[0] is of another "
                + "kind than oct, RSA, EC with P-256 or OKP with Ed25519.)."
        )
        let long = [UInt8](repeating: 0x20, count: KeySet.maximumBytes + 1)
        #expect(
            fault(KeySetError.self) { _ = try KeySet(long) }?.description
                == "The key set has 1048577 bytes; it must have 1048576 at most."
        )
    }
}
