import HubCrypto
import HubEngine

/// The challenges for sign-ins by passkey that were issued and not used yet.
///
/// A challenge is good for one attempt, right or wrong. It is not bound to the connection that has requested it, since
/// one that does not sign in within ten seconds is closed: a user may take longer to touch an authenticator.
struct PasskeyChallenges {
    /// The seconds until a challenge expires.
    ///
    /// More: the form may be open longer before a browser that fills it in needs another one; more of them are kept.
    static let lifetimeSeconds = 300

    private struct Issued {
        let site: PasskeySite
        let address: IPAddress?
        let expiresAt: Instant
    }

    private var issued: [[UInt8]: Issued] = [:]
    /// The challenges in the order in which they expire, some of them used already.
    private var order: [[UInt8]] = []
    private var first = 0
    /// The unused challenges of each address, the oldest first.
    private var byAddress: [IPAddress: [[UInt8]]] = [:]

    /// The number of challenges that can be used.
    var count: Int { issued.count }

    /// Issues a challenge; the oldest ones make room if there are too many.
    ///
    /// - Parameters:
    ///   - site: The site of the page.
    ///   - address: The address of the client, to which a limit of its own applies; nil: none.
    ///   - now: The time.
    ///   - random: The source of randomness.
    /// - Returns: 32 random bytes.
    mutating func issue(
        for site: PasskeySite,
        to address: IPAddress?,
        at now: Instant,
        using random: inout RandomSource
    ) -> [UInt8] {
        removeExpired(at: now)
        if let address, let own = byAddress[address], own.count >= Self.maximumPerAddress { remove(own[0]) }
        while issued.count >= Self.maximumCount { removeFirst() }
        let challenge = (0..<4).flatMap { _ in
            let bits = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        }
        issued[challenge] = Issued(site: site, address: address, expiresAt: now + .seconds(Self.lifetimeSeconds))
        order.append(challenge)
        // The used ones behind an unused one.
        if order.count - first > 2 * Self.maximumCount {
            order = order[first...].filter { issued[$0] != nil }
            first = 0
        }
        if let address { byAddress[address, default: []].append(challenge) }
        return challenge
    }

    /// Takes a challenge, which nobody can use any more.
    ///
    /// - Returns: The site that it was issued for; nil: there is none, it was used, or it has expired.
    mutating func take(_ challenge: [UInt8], at now: Instant) -> PasskeySite? {
        guard let found = issued[challenge] else { return nil }
        remove(challenge)
        return found.expiresAt > now ? found.site : nil
    }

    private mutating func removeExpired(at now: Instant) {
        while first < order.count {
            if let oldest = issued[order[first]], oldest.expiresAt > now { return }
            removeFirst()
        }
    }

    private mutating func removeFirst() {
        guard first < order.count else { return }
        remove(order[first])
        first += 1
        // Each challenge is moved at most once on average.
        if first > 64, first > order.count / 2 {
            order.removeFirst(first)
            first = 0
        }
    }

    private mutating func remove(_ challenge: [UInt8]) {
        guard let removed = issued.removeValue(forKey: challenge), let address = removed.address else { return }
        byAddress[address]?.removeAll { $0 == challenge }
        if byAddress[address]?.isEmpty == true { byAddress[address] = nil }
    }

    /// The maximum number of unused challenges in all.
    ///
    /// More: more clients that are about to sign in at once; memory for those that never do.
    static let maximumCount = 10_000
    /// The maximum number of unused challenges of an address.
    ///
    /// More: more users behind one address at once; fewer addresses can use up all.
    static let maximumPerAddress = 200
}
