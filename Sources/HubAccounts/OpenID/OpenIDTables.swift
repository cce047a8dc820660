import Foundation
import HubCrypto
import HubWire

/// A sign-in whose browser is at the provider.
struct PendingOpenIDSignIn: Sendable {
    /// The value that the ID token has to have.
    let nonce: String
    /// The secret of the exchange (PKCE, RFC 7636).
    let verifier: String
    /// The address to which the provider sends the browser.
    let redirectURI: String
    /// The digest of the secret that the page keeps.
    let challenge: [UInt8]
    /// The digest of the browser's cookie.
    let cookieHash: [UInt8]
    /// The address of the client; nil: an exempt one.
    let lane: String?
    /// The time since when the provider has to have authenticated the user; nil: any time.
    let freshSince: Date?
}

/// An account whose user the provider has signed in, until the page asks for its session.
struct OpenIDGrant: Sendable {
    let account: String
    /// The digest of the secret that the page keeps.
    let challenge: [UInt8]
    /// True if the provider has authenticated the user for this sign-in.
    let isFresh: Bool
}

/// A table of entries that are taken once, and expire; the oldest make room for newer ones.
struct OneTimeTable<Value> {
    private struct Entry {
        let value: Value
        let lane: String?
        let end: ContinuousClock.Instant
    }

    private var entries: [String: Entry] = [:]
    /// The keys in the order in which they were added; those that were taken are still here.
    private var order: [String] = []
    private let lifetime: Duration
    private let capacity: Int
    private let capacityOfLane: Int

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which an entry can be taken.
    ///   - capacity: The maximum number of entries.
    ///   - capacityOfLane: The maximum number of entries of one client address.
    init(lifetime: Duration, capacity: Int, capacityOfLane: Int) {
        (self.lifetime, self.capacity, self.capacityOfLane) = (lifetime, capacity, capacityOfLane)
    }

    /// The number of entries.
    var count: Int { entries.count }

    /// Adds an entry under a key that nobody can guess.
    mutating func add(_ value: Value, as key: String, of lane: String? = nil, at now: ContinuousClock.Instant = .now) {
        removeExpired(at: now)
        if let lane {
            let own = order.filter { entries[$0]?.lane == lane }
            if own.count >= capacityOfLane, let oldest = own.first { entries[oldest] = nil }
        }
        while entries.count >= capacity, let oldest = order.first {
            entries[oldest] = nil
            order.removeFirst()
        }
        entries[key] = Entry(value: value, lane: lane, end: now + lifetime)
        order.append(key)
        if order.count > 2 * capacity { order.removeAll { entries[$0] == nil } }
    }

    /// Takes an entry, which is not there any more; nil: there is none, or its time has passed.
    mutating func take(_ key: String, at now: ContinuousClock.Instant = .now) -> Value? {
        guard let entry = entries.removeValue(forKey: key), now < entry.end else { return nil }
        return entry.value
    }

    private mutating func removeExpired(at now: ContinuousClock.Instant) {
        // All live equally long, so the oldest expire first.
        let expired = order.prefix { entries[$0].map { $0.end <= now } ?? true }
        for key in expired { entries[key] = nil }
        order.removeFirst(expired.count)
    }
}

/// The secrets of a sign-in.
enum OpenIDSecret {
    /// Generates a secret of 32 random bytes, in base64url.
    static func make() -> String { Base64URL.text(of: SecureRandom.bytes(32)) }

    /// Computes the digest of a secret.
    static func hash(_ secret: String) -> [UInt8] { SHA256.digest(Array(secret.utf8)) }

    /// Indicates that two digests are equal, in a time that does not depend on them.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { ConstantTime.equal(one, other) }

    /// Parses the digest of a page's secret; nil if it is none.
    static func challenge(_ text: String?) -> [UInt8]? {
        guard let text, text.utf8.count == 43, let bytes = Base64URL.bytes(of: text), bytes.count == 32 else {
            return nil
        }
        return bytes
    }

    /// Indicates that a text has the form of a secret.
    static func isSecret(_ text: String) -> Bool { challenge(text) != nil }
}
