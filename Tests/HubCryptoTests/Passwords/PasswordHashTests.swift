import Testing

@testable import HubCrypto

struct PasswordHashTests {
    private let cost: PasswordCost

    init() throws { cost = try .of(megabytes: 8, passes: 1) }

    @Test func `only the right password matches`() throws {
        let hash = try #require(PasswordHash(try Password("Rosenkohl 7"), cost: cost))
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=8192,t=1,p=1$"))
        #expect(hash.matches(try Password("Rosenkohl 7")))
        for wrong in ["rosenkohl 7", "Rosenkohl 7 ", "Rosenkohl", "Rosenkohl 77"] {
            #expect(!hash.matches(try Password(wrong)))
        }
    }

    @Test func `the same password hashes differently each time, and a stored hash is parsed`() throws {
        let password = try Password("e\u{301}clair")
        let (one, other) = (PasswordHash(password, cost: cost), PasswordHash(password, cost: cost))
        #expect(one != other)
        let text = try #require(one?.text)
        let stored = try #require(PasswordHash(text: text))
        #expect(stored == one)
        #expect(stored.matches(try Password("\u{E9}clair")))
    }

    @Test func `a hash of another cost needs rehashing`() throws {
        let more = try PasswordCost.of(megabytes: 9, passes: 1)
        let longer = try PasswordCost.of(megabytes: 8, passes: 2)
        let hash = try #require(PasswordHash(try Password("x"), cost: cost))
        #expect(!hash.needsRehash(cost))
        #expect(hash.needsRehash(more))
        #expect(hash.needsRehash(longer))
        #expect(hash.needsRehash())
        let text = "$argon2id$v=19$m=8192,t=1,p=2$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo"
        #expect(PasswordHash(text: text)?.needsRehash(cost) == true)
    }

    @Test func `a decoy hash has the given cost and matches no password`() throws {
        let decoy = try #require(PasswordHash.decoy(costText: cost.text))
        let real = try #require(PasswordHash(try Password("x"), cost: cost))
        #expect(!decoy.matches(try Password("x")))
        #expect(!decoy.needsRehash(cost))
        #expect(decoy.text.count == real.text.count)
        #expect(PasswordHash(text: decoy.text) == decoy)
        #expect(PasswordHash.decoy(costText: cost.text) != decoy)
        #expect(decoy.costText == cost.text)
        for text in ["", "m=8192", "m=0,t=1,p=1", "m=99999999,t=1,p=1"] {
            #expect(PasswordHash.decoy(costText: text) == nil)
        }
    }

    /// Were the decoy's text not what libsodium takes, it would be refused in microseconds.
    @Test func `checking a decoy hash takes as long as checking a wrong password`() throws {
        let cost = try PasswordCost.of(megabytes: 32, passes: 2)
        let (decoy, wrong) = (try #require(PasswordHash.decoy(costText: cost.text)), try Password("wrong"))
        let real = try #require(PasswordHash(try Password("right"), cost: cost))
        let clock = ContinuousClock()
        let times = (0..<5).map { _ in
            (clock.measure { #expect(!decoy.matches(wrong)) }, clock.measure { #expect(!real.matches(wrong)) })
        }
        let (unknown, known) = (times.map(\.0).min() ?? .zero, times.map(\.1).min() ?? .zero)
        // A busy machine takes several times as long for one as for the other.
        #expect(unknown > known / 10 && known > unknown / 10, "\(unknown) for a decoy, \(known) for a hash")
    }

    @Test(arguments: [
        "", "x", "$argon2id$", "$argon2i$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=16$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=99999999999999999999,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=4000000000,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=0,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=1,p=0$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=08192,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=-8192,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$t=1,m=8192,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0$",
        "$argon2id$v=19$m=8192,t=1,p=1$$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0=$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRz_Wx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo",
        "$argon2id$v=19$m=8192,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo$",
    ])
    func `a hash in another format is refused`(text: String) {
        #expect(PasswordHash(text: text) == nil)
    }

    @Test func `a cost is limited to what a machine can compute`() {
        for (megabytes, passes) in [(7, 1), (4097, 1), (8, 0), (8, 101), (.min, 1), (8, .max)] {
            #expect(PasswordCost(megabytes: megabytes, passes: passes) == nil)
        }
        #expect(PasswordCost.standard == PasswordCost(megabytes: 64, passes: 3))
    }
}

extension PasswordCost {
    /// A cost that is one.
    static func of(megabytes: Int, passes: Int) throws -> PasswordCost {
        try #require(PasswordCost(megabytes: megabytes, passes: passes))
    }
}
