import Testing

@testable import HubServer

/// How often somebody may be wrong about who he is.
struct WrongSignInsTests {
    private let second: Int64 = 1_000_000_000

    private func address(_ text: String) throws -> IPAddress {
        try #require(IPAddress(text))
    }

    @Test func `an address has twenty tries and then one every five seconds`() throws {
        var wrong = WrongSignIns()
        let home = try address("192.0.2.1")
        for _ in 0..<20 {
            #expect(wrong.wait(nil, from: home, device: nil, at: 0) == nil)
            wrong.note(nil, from: home, at: 0)
        }
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 5)
        #expect(wrong.wait(nil, from: home, device: nil, at: 3 * second) == 2)
        #expect(wrong.wait(nil, from: home, device: nil, at: 5 * second) == nil)
        #expect(wrong.wait(nil, from: try address("192.0.2.2"), device: nil, at: 0) == nil)
    }

    @Test func `an account has fifty tries, from wherever they come`() throws {
        var wrong = WrongSignIns()
        for number in 1...50 { wrong.note("alice", from: try address("192.0.2.\(number)"), at: 0) }
        let home = try address("198.51.100.1")
        #expect(wrong.wait("alice", from: home, device: nil, at: 0) == 2)
        #expect(wrong.wait("bob", from: home, device: nil, at: 0) == nil)
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == nil)
        #expect(wrong.wait("alice", from: home, device: nil, at: 2 * second) == nil)
    }

    @Test func `who guesses side by side waits for all that was looked at at once`() throws {
        var wrong = WrongSignIns()
        let home = try address("192.0.2.1")
        // They were let in before the first of them was found to be wrong.
        for _ in 0..<35 { wrong.note(nil, from: home, at: 0) }
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 80)
        #expect(wrong.wait(nil, from: home, device: nil, at: 79 * second) == 1)
        for _ in 0..<65 { wrong.note(nil, from: home, at: 0) }
        // At most as much is owed as there was to spend: nobody is locked out for good.
        #expect(wrong.wait(nil, from: home, device: nil, at: 0) == 105)
        #expect(wrong.wait(nil, from: home, device: nil, at: 105 * second) == nil)
    }

    @Test func `who has been right there, or on that device, does not wait for what others guess`() throws {
        var wrong = WrongSignIns()
        let (home, cafe) = (try address("198.51.100.1"), try address("198.51.100.2"))
        let device = "3f0e8c1e-93a1-4a57-8a4f-0d0c5b9f3a11"
        wrong.noteRight("alice", from: home, device: device, at: 0)
        for number in 1...60 { wrong.note("alice", from: try address("192.0.2.\(number)"), at: second) }
        #expect(wrong.wait("alice", from: home, device: nil, at: second) == nil)
        #expect(wrong.wait("alice", from: cafe, device: device, at: second) == nil)
        #expect(wrong.wait("alice", from: cafe, device: "another", at: second) == 22)
        // Guesses from where he is are his own matter.
        for _ in 0..<20 { wrong.note("alice", from: home, at: second) }
        #expect(wrong.wait("alice", from: home, device: device, at: second) == 5)
        // It is about that account alone.
        for number in 1...50 { wrong.note("bob", from: try address("192.0.2.\(number)"), at: second) }
        #expect(wrong.wait("bob", from: cafe, device: device, at: second) == 2)
    }

    @Test func `a name of a device that could be guessed is no secret`() throws {
        var known = KnownPlaces()
        let (home, cafe) = (try address("198.51.100.1"), try address("198.51.100.2"))
        known.note("alice", home, "desk", at: 0)
        #expect(known.contains("alice", home, nil, at: 0))
        #expect(!known.contains("alice", cafe, "desk", at: 0))
    }

    @Test func `places are known for two weeks, and some of each account`() throws {
        var known = KnownPlaces()
        let day = 86_400 * second
        let places = try (1...17).map { try address("198.51.100.\($0)") }
        for (number, place) in places.enumerated() { known.note("alice", place, nil, at: Int64(number)) }
        #expect(places.map { known.contains("alice", $0, nil, at: 20) } == [false] + Array(repeating: true, count: 16))
        #expect(known.contains("alice", places[16], nil, at: 14 * day))
        #expect(!known.contains("alice", places[16], nil, at: 14 * day + 16))
        known.note("alice", places[1], nil, at: 14 * day)
        #expect(known.contains("alice", places[1], nil, at: 27 * day))
    }

    @Test func `of many accounts those are known that were here last`() throws {
        var known = KnownPlaces()
        let home = try address("198.51.100.1")
        for number in 0..<20_001 { known.note("\(number)", home, nil, at: Int64(number)) }
        #expect(!known.contains("0", home, nil, at: 30_000))
        #expect(known.contains("15000", home, nil, at: 30_000))
        #expect(known.contains("20000", home, nil, at: 30_000))
    }
}
