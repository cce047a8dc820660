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
            #expect(wrong.wait(nil, from: home, at: 0) == nil)
            wrong.note(nil, from: home, at: 0)
        }
        #expect(wrong.wait(nil, from: home, at: 0) == 5)
        #expect(wrong.wait(nil, from: home, at: 3 * second) == 2)
        #expect(wrong.wait(nil, from: home, at: 5 * second) == nil)
        #expect(wrong.wait(nil, from: try address("192.0.2.2"), at: 0) == nil)
    }

    @Test func `an account has fifty tries, from wherever they come`() throws {
        var wrong = WrongSignIns()
        for number in 1...50 { wrong.note("alice", from: try address("192.0.2.\(number)"), at: 0) }
        let home = try address("198.51.100.1")
        #expect(wrong.wait("alice", from: home, at: 0) == 2)
        #expect(wrong.wait("bob", from: home, at: 0) == nil)
        #expect(wrong.wait(nil, from: home, at: 0) == nil)
        #expect(wrong.wait("alice", from: home, at: 2 * second) == nil)
    }

    @Test func `who guesses side by side waits for all that was looked at at once`() throws {
        var wrong = WrongSignIns()
        let home = try address("192.0.2.1")
        // They were let in before the first of them was found to be wrong.
        for _ in 0..<35 { wrong.note(nil, from: home, at: 0) }
        #expect(wrong.wait(nil, from: home, at: 0) == 80)
        #expect(wrong.wait(nil, from: home, at: 79 * second) == 1)
        for _ in 0..<65 { wrong.note(nil, from: home, at: 0) }
        // At most as much is owed as there was to spend: nobody is locked out for good.
        #expect(wrong.wait(nil, from: home, at: 0) == 105)
        #expect(wrong.wait(nil, from: home, at: 105 * second) == nil)
    }
}
