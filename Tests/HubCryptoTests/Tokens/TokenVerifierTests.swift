import Foundation
import Testing

@testable import HubCrypto

/// Tests of the claims of correctly signed tokens: the accepted ones, and the errors of the others.
struct TokenVerifierTests {
    private let issuer: TestIssuer
    private let verifier: TokenVerifier

    init() throws {
        issuer = try TestIssuer()
        verifier = try issuer.verifier
    }

    private func verify(_ changes: [String: String?]) throws(TokenError) -> TokenClaims {
        try verifier.verify(issuer.token(changes), at: now)
    }

    private func refusal(_ changes: [String: String?]) -> TokenError? {
        fault(TokenError.self) { _ = try verify(changes) }
    }

    @Test func `a department is a text, and of another form it is ignored`() throws {
        #expect(try verify(["department": #""Sales""#]).department == "Sales")
        #expect(try verify([:]).department == nil)
        for other in [#"["Sales"]"#, "7", "null", #""""#, "\"\(String(repeating: "d", count: 257))\""] {
            #expect(try verify(["department": other]).department == nil, "\(other)")
        }
    }

    // MARK: Keys

    @Test func `each of the three algorithms is accepted`() throws {
        let tokens = [
            TestIssuer.token(issuer.header(of: issuer.curve), TestIssuer.payload(), by: issuer.curve),
            TestIssuer.token(issuer.header(of: issuer.edwards), TestIssuer.payload(), by: issuer.edwards),
            TestIssuer.token(#"{"alg":"HS256","kid":"secret"}"#, TestIssuer.payload(), secret: issuer.secret),
        ]
        for token in tokens {
            let claims = try verifier.verify(token, at: now)
            #expect(claims == TokenClaims(account: "alice", expires: Date(timeIntervalSince1970: 1_800_000_600)))
        }
    }

    @Test func `without a kid a single matching key is used, and several are refused`() throws {
        let header = #"{"alg":"EdDSA"}"#
        let token = TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards)
        #expect(try verifier.verify(token, at: now).account == "alice")
        let other = try TestIssuer()
        let keys = "{\"keys\":[\(issuer.edwards.publicJWK),\(other.edwards.publicJWK),\(issuer.curve.publicJWK)]}"
        let several = TokenVerifier(keys: try KeySet(Array(keys.utf8)), policy: TestIssuer.policy)
        #expect(fault(TokenError.self) { _ = try several.verify(token, at: now) } == .ambiguousKey)
        let single = TestIssuer.token(#"{"alg":"ES256"}"#, TestIssuer.payload(), by: issuer.curve)
        #expect(try several.verify(single, at: now).account == "alice")
    }

    @Test(arguments: ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "application/jwt"])
    func `a typ that denotes a token is accepted`(type: String) throws {
        let header = #"{"alg":"EdDSA","kid":"\#(issuer.edwards.id)","typ":"\#(type)"}"#
        _ = try verifier.verify(TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards), at: now)
    }

    @Test(arguments: [#""JWE""#, #""dpop+jwt""#, #""logout+jwt""#, #""""#, "1", "null", "[\"JWT\"]", #""JWT ""#])
    func `another typ is refused`(type: String) {
        let header = #"{"alg":"EdDSA","kid":"\#(issuer.edwards.id)","typ":\#(type)}"#
        let token = TestIssuer.token(header, TestIssuer.payload(), by: issuer.edwards)
        #expect(fault(TokenError.self) { _ = try verifier.verify(token, at: now) } == .wrongType)
    }

    // MARK: Origin

    @Test func `the audience may be one of a list`() throws {
        _ = try verify(["aud": #"["other","callhub"]"#])
    }

    @Test(arguments: [
        #""other""#, #""""#, "[]", #"["other"]"#, #""callhu""#, #""callhub ""#, #""CallHub""#, #""callhub/""#,
        #""https://callhub""#,
    ])
    func `a token with another audience is refused`(audience: String) {
        #expect(refusal(["aud": audience]) == .wrongAudience)
    }

    @Test(arguments: ["1", "null", "{}", #"["callhub",1]"#, "true"])
    func `an audience of another type is refused`(audience: String) {
        #expect(
            refusal(["aud": audience])
                == .wrong(claim: "aud", requirement: "be a string or an array of strings")
        )
    }

    @Test func `a token of another issuer is refused`() {
        #expect(refusal(["iss": #""https://issuer.example/""#]) == .wrongIssuer)
        #expect(refusal(["iss": #""https://issuer.example.evil.net""#]) == .wrongIssuer)
        // The Kelvin sign looks like K and is canonically equal to it; Cyrillic letters only look alike.
        #expect(refusal(["iss": #""https://issu\u0435r.example""#]) == .wrongIssuer)
    }

    @Test func `canonically equivalent texts are not the same issuer`() throws {
        var verifier = verifier
        verifier.policy.issuer = "\u{E9}"
        let token = issuer.token(["iss": "\"e\u{301}\""])
        #expect(fault(TokenError.self) { _ = try verifier.verify(token, at: now) } == .wrongIssuer)
        _ = try verifier.verify(issuer.token(["iss": "\"\u{E9}\""]), at: now)
    }

    @Test(arguments: ["iss", "aud", "sub", "exp"])
    func `a missing required claim is refused`(claim: String) {
        #expect(refusal([claim: nil]) == .missing(claim: claim))
    }

    // MARK: Times

    /// The leeway is 30 s; the current time is 1,800,000,000 s since 1970.
    @Test func `a token expires at its exp plus leeway`() throws {
        let early = Date(timeIntervalSince1970: 1_799_999_970)
        _ = try verify(["exp": "1799999971"])
        #expect(refusal(["exp": "1799999970"]) == .expired(since: early))
        #expect(
            refusal(["exp": "1799999970"])?.description
                == "The token expired at 2027-01-15T07:59:30Z; sign in with a new one."
        )
        _ = try verify(["exp": "1799999970.5"])
        #expect(refusal(["exp": "0"]) == .expired(since: Date(timeIntervalSince1970: 0)))
    }

    @Test func `without leeway a token expires exactly at its exp`() throws {
        var strict = verifier
        strict.policy.leeway = .zero
        _ = try strict.verify(issuer.token(["exp": "1800000001"]), at: now)
        let over = issuer.token(["exp": "1800000000"])
        #expect(fault(TokenError.self) { _ = try strict.verify(over, at: now) } == .expired(since: now))
    }

    @Test func `a token is valid from its nbf minus leeway`() throws {
        _ = try verify(["nbf": "1800000030"])
        let later = Date(timeIntervalSince1970: 1_800_000_031)
        #expect(refusal(["nbf": "1800000031"]) == .notYetValid(until: later))
        _ = try verify(["iat": "1800000030"])
        #expect(refusal(["iat": "1800000031"]) == .issuedInFuture(later))
    }

    @Test func `a token is valid for a day at most`() throws {
        let limit = TokenError.lifetimeTooLong(limit: .seconds(86_400))
        _ = try verify(["iat": "1799999000", "exp": "1800085400"])
        #expect(refusal(["iat": "1799999000", "exp": "1800085401"]) == limit)
        // Without a time of issue the lifetime counts from now.
        _ = try verify(["iat": nil, "exp": "1800086400"])
        #expect(refusal(["iat": nil, "exp": "1800086401"]) == limit)
        #expect(refusal(["exp": "253402300799"]) == limit)
        #expect(limit.description == "The token must end 86400 s after its issue at the latest.")
    }

    @Test(
        arguments: ["exp", "nbf", "iat"],
        [#""1800000600""#, "null", "true", "[]", "{}", "-1", "253402300800", "1e300", #""never""#]
    )
    func `an invalid time is refused`(claim: String, value: String) {
        let wrong = TokenError.wrong(claim: claim, requirement: "be a time in seconds since 1970")
        #expect(refusal([claim: value]) == wrong)
    }

    // MARK: The bearer

    @Test func `all claims about the bearer are returned`() throws {
        let claims = try verify([
            "name": #""Alice Ä.""#,
            "handles": #"[{"type":"generic","value":"alice"},{"type":"phoneNumber","value":"+49 30 1234","x":1},"#
                + #"{"type":"emailAddress","value":"a@b.example"}]"#,
            "callhub": #"["observe","call","call"]"#,
            "callee": #"{"type":"generic","value":"bob"}"#,
            "jti": #""one""#,
            "other": #"{"deep":[1,2,{"a":null}]}"#,
        ])
        let expected = TokenClaims(
            account: "alice",
            name: "Alice Ä.",
            handles: [
                TokenClaims.Handle(type: .generic, value: "alice"),
                TokenClaims.Handle(type: .phoneNumber, value: "+49 30 1234"),
                TokenClaims.Handle(type: .emailAddress, value: "a@b.example"),
            ],
            permissions: [.call, .observe],
            callee: TokenClaims.Handle(type: .generic, value: "bob"),
            expires: Date(timeIntervalSince1970: 1_800_000_600),
            identifier: "one"
        )
        #expect(claims == expected)
    }

    @Test(
        arguments: [
            (["callhub": "[]"], []),
            (["callhub": #"["admin"]"#], [.admin]),
            (["callhub": #"["call"]"#, "scope": #""callhub:admin""#], [.call]),
            (["scope": #""callhub:call callhub:admin""#], [.call, .admin]),
            (["scope": #""openid callhub:observe profile""#], [.observe]),
            (["scope": #""openid profile""#], [.call]),
            (["scope": #""""#], [.call]),
            ([:], [.call]),
        ] as [([String: String], Set<TokenClaims.Permission>)]
    )
    func `permissions are in the claim callhub, or else in scope`(
        claims: [String: String],
        permissions: Set<TokenClaims.Permission>
    ) throws {
        #expect(try verify(claims.mapValues(Optional.some)).permissions == permissions)
    }

    @Test(arguments: [
        ("callhub", #""admin""#), ("callhub", #"["root"]"#), ("callhub", #"["Admin"]"#), ("callhub", "null"),
        ("callhub", #"[["call"]]"#), ("callhub", "{}"), ("scope", #""callhub:root""#), ("scope", #""callhub:""#),
        ("scope", #"["callhub:call"]"#), ("scope", "1"), ("handles", "{}"), ("handles[0]", #"["alice"]"#),
        ("handles[0]", #"[{"type":"fax","value":"1"}]"#), ("handles[0]", #"[{"type":"generic"}]"#),
        ("handles[1]", #"[{"type":"generic","value":"a"},{"type":"generic","value":""}]"#), ("callee", "null"),
        ("callee", #""bob""#), ("sub", "1"), ("sub", #""""#), ("sub", "null"), ("name", "[]"), ("jti", "1"),
    ])
    func `a claim of another type is refused with its name`(claim: String, value: String) {
        let member = String(claim.prefix { $0 != "[" })
        guard case .wrong(claim, _)? = refusal([member: value]) else {
            Issue.record("\(claim) \(value): \(String(describing: refusal([member: value])))")
            return
        }
    }

    @Test func `names have a maximum length`() throws {
        let long = String(repeating: "é", count: 128)
        #expect(try verify(["sub": "\"\(long)\""]).account == long)
        let requirement = "be a string of 1 to 256 bytes"
        #expect(refusal(["sub": "\"\(long)x\""]) == .wrong(claim: "sub", requirement: requirement))
        #expect(refusal(["name": "\"\(long)x\""]) == .wrong(claim: "name", requirement: requirement))
    }

    @Test func `SQL in a name is plain text, and no error message repeats it`() throws {
        let name = "x'); DROP TABLE accounts;--"
        #expect(try verify(["sub": "\"\(name)\""]).account == name)
        for claim in ["iss", "aud", "callhub", "scope", "exp"] {
            let refused = refusal([claim: "\"callhub:\(name)\""])
            let sentence = try #require(refused).description
            #expect(!sentence.contains("DROP"))
        }
    }
}
