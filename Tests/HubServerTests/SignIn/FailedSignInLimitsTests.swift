import HubEngine
import Testing

@testable import HubServer

/// The limits on failed sign-ins, by address, account and device.
struct FailedSignInLimitsTests {
    private let second: Int64 = 1_000_000_000
    private let alice = FoldedName("alice")

    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text))
    }

    @Test func `an address has twenty attempts, then one every five seconds`() throws {
        var wrong = FailedSignInLimits()
        let home = try address("192.0.2.1")
        for _ in 0..<20 {
            #expect(wrong.wait(nil, from: home, device: nil, at: 0) == nil)
            wrong.note(nil, from: home, device: nil, at: 0)
        }
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 5)
        #expect(wrong.wait(nil, from: home, device: nil, at: 3 * second) == 2)
        #expect(wrong.wait(nil, from: home, device: nil, at: 5 * second) == nil)
        #expect(wrong.wait(nil, from: try address("192.0.2.2"), device: nil, at: 0) == nil)
    }

    @Test func `an account has fifty attempts, from any addresses`() throws {
        var wrong = FailedSignInLimits()
        for number in 1...50 { wrong.note("alice", from: try address("192.0.2.\(number)"), device: nil, at: 0) }
        let home = try address("198.51.100.1")
        #expect(wrong.wait("alice", from: home, device: nil, at: 0) == 2)
        #expect(wrong.wait("bob", from: home, device: nil, at: 0) == nil)
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == nil)
        #expect(wrong.wait("alice", from: home, device: nil, at: 2 * second) == nil)
    }

    @Test func `an account has its attempts once, whatever the case of its name`() throws {
        var wrong = FailedSignInLimits()
        let spellings = ["alice", "Alice", "ALICE", "aLiCe", "alicE"]
        for number in 0..<50 {
            #expect(wrong.wait("alice", from: try address("192.0.2.\(number)"), device: nil, at: 0) == nil)
            wrong.note(spellings[number % 5], from: try address("192.0.2.\(number)"), device: nil, at: 0)
        }
        let home = try address("198.51.100.1")
        for name in spellings + ["AliCE"] { #expect(wrong.wait(name, from: home, device: nil, at: 0) == 2, "\(name)") }
        for number in 1...32 {
            wrong.note(number % 2 == 0 ? "JÜRGEN" : "ju\u{308}rgen", from: home, device: nil, at: 0)
        }
        for number in 1...18 { wrong.note("Jürgen", from: try address("203.0.113.\(number)"), device: nil, at: 0) }
        #expect(wrong.wait("jürgen", from: try address("203.0.113.99"), device: nil, at: 0) == 2)
    }

    @Test func `a known address is known for its account in any case of the name`() throws {
        var wrong = FailedSignInLimits()
        let home = try address("198.51.100.1")
        wrong.noteSuccess("Alice", from: home, device: nil, at: 0)
        for number in 1...60 { wrong.note("alice", from: try address("192.0.2.\(number)"), device: nil, at: second) }
        #expect(wrong.wait("ALICE", from: home, device: nil, at: second) == nil)
    }

    @Test func `parallel wrong attempts are all charged, up to a maximum wait`() throws {
        var wrong = FailedSignInLimits()
        let home = try address("192.0.2.1")
        // They were admitted before the first of them had failed.
        for _ in 0..<35 { wrong.note(nil, from: home, device: nil, at: 0) }
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 80)
        #expect(wrong.wait(nil, from: home, device: nil, at: 79 * second) == 1)
        for _ in 0..<65 { wrong.note(nil, from: home, device: nil, at: 0) }
        // The debt is at most one full bucket, so that no client is locked out permanently.
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 105)
        #expect(wrong.wait(nil, from: home, device: nil, at: 105 * second) == nil)
    }

    @Test func `a known address or device does not wait for other clients' wrong attempts`() throws {
        var wrong = FailedSignInLimits()
        let (home, cafe) = (try address("198.51.100.1"), try address("198.51.100.2"))
        let device = "3f0e8c1e-93a1-4a57-8a4f-0d0c5b9f3a11"
        wrong.noteSuccess("alice", from: home, device: device, at: 0)
        for number in 1...60 { wrong.note("alice", from: try address("192.0.2.\(number)"), device: nil, at: second) }
        #expect(wrong.wait("alice", from: home, device: nil, at: second) == nil)
        #expect(wrong.wait("alice", from: cafe, device: device, at: second) == nil)
        #expect(wrong.wait("alice", from: cafe, device: "another", at: second) == 22)
        // Nor for what others guess where they are: the id of the device is not theirs.
        for _ in 0..<40 { wrong.note("alice", from: home, device: nil, at: second) }
        #expect(wrong.wait("alice", from: home, device: device, at: second) == nil)
        // It is about that account alone.
        for number in 1...50 { wrong.note("bob", from: try address("192.0.2.\(number)"), device: nil, at: second) }
        #expect(wrong.wait("bob", from: cafe, device: device, at: second) == 2)
    }

    @Test func `wrong attempts at an address leave some attempts to accounts known there`() throws {
        var wrong = FailedSignInLimits()
        let office = try address("198.51.100.1")
        wrong.noteSuccess("alice", from: office, device: nil, at: 0)
        for _ in 0..<40 { wrong.note("bob", from: office, device: nil, at: second) }
        #expect(wrong.wait("alice", from: office, device: nil, at: second) == nil)
        #expect(wrong.wait("carol", from: office, device: nil, at: second) == 105)
        #expect(wrong.wait(nil, from: office, device: nil, at: second) == 105)
        // Who guesses at them there has three tries, and then one a minute.
        for _ in 0..<3 {
            #expect(wrong.wait("alice", from: office, device: nil, at: second) == nil)
            wrong.note("alice", from: office, device: nil, at: second)
        }
        #expect(wrong.wait("alice", from: office, device: nil, at: second) == 60)
        // As long as the address has tries, those are theirs, too.
        #expect(wrong.wait("alice", from: office, device: nil, at: 31 * second) == 30)
        #expect(wrong.wait("alice", from: office, device: nil, at: 61 * second) == nil)
    }

    @Test func `a known device has the attempts of an address, and no more`() throws {
        var wrong = FailedSignInLimits()
        let office = try address("198.51.100.1")
        let device = "3f0e8c1e-93a1-4a57-8a4f-0d0c5b9f3a11"
        wrong.noteSuccess("alice", from: office, device: device, at: 0)
        for _ in 0..<20 {
            #expect(wrong.wait("alice", from: office, device: device, at: 0) == nil)
            wrong.note("alice", from: office, device: device, at: 0)
        }
        #expect(wrong.wait("alice", from: office, device: device, at: 0) == 5)
        #expect(wrong.wait("bob", from: office, device: device, at: 0) == 5, "the device is known for alice alone")
    }

    @Test func `a known device has its own queue for password checks, all others of the address share one`() throws {
        var wrong = FailedSignInLimits()
        let office = try address("198.51.100.1")
        let device = "3f0e8c1e-93a1-4a57-8a4f-0d0c5b9f3a11"
        wrong.noteSuccess("alice", from: office, device: device, at: 0)
        let shared = wrong.lane(of: "nobody", from: office, device: nil, at: 0)
        #expect(wrong.lane(of: nil, from: office, device: nil, at: 0) == shared)
        #expect(wrong.lane(of: "alice", from: office, device: nil, at: 0) == shared)
        #expect(wrong.lane(of: "bob", from: office, device: device, at: 0) == shared)
        #expect(wrong.lane(of: "alice", from: office, device: device, at: 0) != shared)
    }

    @Test func `all attempts from an address count for it, at any accounts`() throws {
        var wrong = FailedSignInLimits()
        let office = try address("198.51.100.1")
        for name in ["alice", "bob"] { wrong.noteSuccess(name, from: office, device: nil, at: 0) }
        var tries = 0
        // An hour long at each of two known accounts and one unknown one, as often as it is let.
        for tick in 0..<3_600 {
            let now = Int64(tick) * second
            for name in ["alice", "bob", "carol"] where wrong.wait(name, from: office, device: nil, at: now) == nil {
                wrong.note(name, from: office, device: nil, at: now)
                tries += 1
            }
        }
        // Twenty and one every five seconds, as before, and three of each known account.
        #expect(tries <= 20 + 720 + 2 * 3)
    }

    @Test func `a device id that can be guessed is not a secret`() throws {
        var known = KnownSignInSources()
        let (home, cafe) = (try address("198.51.100.1"), try address("198.51.100.2"))
        known.note(alice, home, "desk", at: 0)
        #expect(known.source(of: alice, home, nil, at: 0) != nil)
        #expect(known.source(of: alice, cafe, "desk", at: 0) == nil)
    }

    @Test func `sources are remembered for two weeks, and a limited number for each account`() throws {
        var known = KnownSignInSources()
        let day = 86_400 * second
        let sources = try (1...17).map { try address("198.51.100.\($0)") }
        for (number, source) in sources.enumerated() { known.note(alice, source, nil, at: Int64(number)) }
        let found = sources.map { known.source(of: alice, $0, nil, at: 20) != nil }
        #expect(found == [false] + Array(repeating: true, count: 16))
        #expect(known.source(of: alice, sources[16], nil, at: 14 * day) != nil)
        #expect(known.source(of: alice, sources[16], nil, at: 14 * day + 16) == nil)
        known.note(alice, sources[1], nil, at: 14 * day)
        #expect(known.source(of: alice, sources[1], nil, at: 27 * day) != nil)
    }

    @Test func `the accounts with the most recent sign-ins are remembered`() throws {
        var known = KnownSignInSources()
        let home = try address("198.51.100.1")
        for number in 0..<20_001 { known.note(FoldedName("\(number)"), home, nil, at: Int64(number)) }
        #expect(known.source(of: FoldedName("0"), home, nil, at: 30_000) == nil)
        #expect(known.source(of: FoldedName("15000"), home, nil, at: 30_000) != nil)
        #expect(known.source(of: FoldedName("20000"), home, nil, at: 30_000) != nil)
    }
}
