import HubCrypto
import HubEngine
import Testing

@testable import HubServer

/// The challenges for sign-ins by passkey: once each, for a while, and not too many.
struct PasskeyChallengesTests {
    private var challenges = PasskeyChallenges()
    private var random = RandomSource(seed: 1)
    private let site: PasskeySite
    private let other: PasskeySite
    private let start = Instant(nanoseconds: 1_000_000_000)

    init() throws {
        site = try #require(PasskeySite(origin: "https://hub.example"))
        other = try #require(PasskeySite(origin: "https://hub.example:8443"))
    }

    private mutating func issue(_ address: String? = nil, at now: Instant? = nil) -> [UInt8] {
        challenges.issue(for: site, to: address.flatMap { IPAddress($0) }, at: now ?? start, using: &random)
    }

    @Test mutating func `a challenge is taken once, with the site that it was issued for`() {
        let (first, second) = (issue(), challenges.issue(for: other, to: nil, at: start, using: &random))
        #expect(first.count == 32 && first != second)
        #expect(challenges.take([UInt8](repeating: 0, count: 32), at: start) == nil)
        #expect(challenges.take([], at: start) == nil)
        #expect(challenges.take(first, at: start) == site)
        #expect(challenges.take(first, at: start) == nil)
        #expect(challenges.take(second, at: start) == other)
        #expect(challenges.count == 0)
    }

    @Test mutating func `a challenge expires`() {
        let lifetime = Duration.seconds(PasskeyChallenges.lifetimeSeconds)
        let (first, second) = (issue(), issue())
        #expect(challenges.take(first, at: start + lifetime + .nanoseconds(-1)) == site)
        #expect(challenges.take(second, at: start + lifetime) == nil)
        for _ in 0..<50 { _ = issue() }
        _ = issue(at: start + lifetime)
        #expect(challenges.count == 1, "expired ones are removed")
    }

    @Test mutating func `of an address that has too many the oldest makes room, and no other's does`() {
        let bystander = issue("192.0.2.2")
        let first = issue("192.0.2.1")
        let own = (0..<PasskeyChallenges.maximumPerAddress).map { _ in issue("192.0.2.1") }
        #expect(challenges.count == PasskeyChallenges.maximumPerAddress + 1)
        #expect(challenges.take(first, at: start) == nil)
        for challenge in own { #expect(challenges.take(challenge, at: start) == site) }
        #expect(challenges.take(bystander, at: start) == site)
        #expect(challenges.count == 0)
    }

    @Test mutating func `in all there are no more than a limit, whatever is taken in between`() {
        var newest: [UInt8] = []
        for round in 0..<3 * PasskeyChallenges.maximumCount {
            newest = issue("198.51.\(round % 200).\(round / 200 % 200)")
            if round % 3 == 0 { _ = challenges.take(newest, at: start) }
            if challenges.count > PasskeyChallenges.maximumCount { break }
        }
        #expect(challenges.count <= PasskeyChallenges.maximumCount)
        let last = issue()
        #expect(challenges.take(last, at: start) == site)
    }
}
