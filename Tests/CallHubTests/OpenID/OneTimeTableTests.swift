import Testing

@testable import HubAccounts

/// Tests of the table of pending sign-ins and codes.
struct OneTimeTableTests {
    private let now = ContinuousClock.now

    private func table(capacity: Int = 3, ofLane: Int = 2) -> OneTimeTable<Int> {
        OneTimeTable(lifetime: .seconds(60), capacity: capacity, capacityOfLane: ofLane)
    }

    @Test func `an entry is taken once`() {
        var table = table()
        table.add(1, as: "a", at: now)
        #expect(table.take("b", at: now) == nil)
        #expect(table.take("a", at: now) == 1)
        #expect(table.take("a", at: now) == nil)
    }

    @Test func `an entry is gone at the end of its time, and makes room`() {
        var table = table()
        table.add(1, as: "a", at: now)
        #expect(table.take("a", at: now + .seconds(60)) == nil)
        table.add(1, as: "a", at: now)
        table.add(2, as: "b", at: now + .milliseconds(59_999))
        #expect(table.count == 2)
        table.add(3, as: "c", at: now + .seconds(60))
        #expect(table.count == 2)
        #expect(table.take("b", at: now + .seconds(60)) == 2)
    }

    @Test func `a full table drops the oldest, and one address its own oldest`() {
        var table = table()
        for (number, lane) in [(1, nil), (2, "x"), (3, "x"), (4, "x")] as [(Int, String?)] {
            table.add(number, as: "\(number)", of: lane, at: now)
        }
        #expect(table.count == 3)
        #expect(table.take("1", at: now) == 1)
        #expect(table.take("2", at: now) == nil)
        for number in 5...9 { table.add(number, as: "\(number)", at: now) }
        #expect(table.count == 3)
        #expect((5...9).map { table.take("\($0)", at: now) } == [nil, nil, 7, 8, 9])
    }

    @Test func `memory is bounded whatever is added and taken`() {
        var table = table(capacity: 100, ofLane: 10)
        for number in 0..<10_000 {
            table.add(number, as: "\(number)", of: "lane \(number % 50)", at: now)
            if number % 3 == 0 { #expect(table.take("\(number)", at: now) == number) }
            #expect(table.count <= 100)
        }
    }
}
