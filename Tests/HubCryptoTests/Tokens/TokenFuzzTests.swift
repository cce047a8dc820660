import Foundation
import HubSimulation
import Testing

@testable import HubCrypto

/// Tests of random tokens and key sets.
struct TokenFuzzTests {
    private let issuer: TestIssuer
    private let verifier: TokenVerifier

    init() throws {
        issuer = try TestIssuer()
        verifier = try issuer.verifier
    }

    private func refusal(_ token: String) -> TokenError? {
        fault(TokenError.self) { _ = try verifier.verify(token, at: now) }
    }

    /// Any input has a result, and only the unchanged token is accepted.
    @Test func `random changes are refused without a crash`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let curve = TestIssuer.token(issuer.header(of: issuer.curve), TestIssuer.payload(), by: issuer.curve)
        let right = issuer.token()
        for round in 0..<2000 {
            let token = round % 20 == 0 ? curve : right
            var changed = Array(token.utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<max(changed.count, 1), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed.removeSubrange(min(place, changed.count)...)
                case 1: changed.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: min(place, changed.count))
                default:
                    if changed.indices.contains(place) {
                        changed[place] = UInt8.random(in: 0x20...0x7E, using: &random)
                    }
                }
            }
            guard changed != Array(token.utf8) else { continue }
            #expect(refusal(String(decoding: changed, as: UTF8.self)) != nil, "seed \(seed), round \(round)")
        }
    }

    @Test func `random headers, payloads and key sets are accepted or refused`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "\"alg\"", "\"kid\"", "\"secret\"", "\"HS256\"", "\"exp\"", "\"keys\"",
            "\"kty\"", "\"oct\"", "\"EC\"", "1", "-", "1e9", "null", "true", "\\u", "\\ud800", "é", " ", "\u{0}",
            "\"sub\"",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let token = TestIssuer.token(
                issuer.header(of: issuer.edwards),
                TestIssuer.payload(),
                secret: Array(text.utf8)
            )
            #expect(refusal(token) != nil, "seed \(seed)")
            #expect(refusal(TestIssuer.token(#"{"alg":"HS256"}"#, text, secret: issuer.secret)) != nil, "seed \(seed)")
            #expect(refusal(TestIssuer.token(text, TestIssuer.payload(), secret: [])) != nil, "seed \(seed)")
            #expect((try? KeySet(Array(text.utf8))) == nil, "seed \(seed)")
        }
    }
}
