import Foundation
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

/// The time in these tests, in seconds since 1970.
let now = Date(timeIntervalSince1970: 1_800_000_000)

/// Decodes base64url.
func bytes(_ text: String) -> [UInt8] { Base64URL.bytes(of: text) ?? [] }

/// Decodes hexadecimal digits.
func hexadecimal(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// Returns the error that a closure throws; nil if it throws none, or one of another type.
func fault<Fault: Error>(_ type: Fault.Type, _ body: () throws -> Void) -> Fault? {
    do {
        try body()
        return nil
    } catch {
        return error as? Fault
    }
}

extension SigningKey {
    /// Generates a key; a test without one fails.
    static func fresh(_ algorithm: SigningAlgorithm) throws -> SigningKey { try #require(generate(algorithm)) }
}
