import BenchmarkClient
import Testing

/// Tests of the order and the times in which clients send.
struct TimetableTests {
    @Test func `each talker has a slot in each interval, evenly distributed`() throws {
        var timetable = Timetable(clients: 4, packetsPerSecond: 50)
        let start = timetable.due
        var clients: [Int] = []
        for number in 0..<8 {
            #expect(timetable.due == start + UInt64(number) * 5_000_000)
            let due = timetable.due
            let early = timetable.next(at: due - 1)
            #expect(early == nil)
            let next = timetable.next(at: due + 7)
            let turn = try #require(next)
            #expect(turn.lateness == 7)
            clients.append(turn.client)
        }
        #expect(clients == [0, 1, 2, 3, 0, 1, 2, 3])
    }

    @Test func `a slot that is more than five packets late is missed`() {
        var timetable = Timetable(clients: 1, packetsPerSecond: 50)
        let due = timetable.due
        let late = timetable.next(at: due + 100_000_000)
        let tooLate = timetable.next(at: due + 20_000_000 + 100_000_001)
        #expect(late?.isMissed == false)
        #expect(tooLate?.isMissed == true)
    }
}
