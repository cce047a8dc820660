import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Clients that come, sign in and leave, one after the other, for long: what each costs, and whether anything stays.
struct Churn: Codable {
    /// What was seen after so many of them.
    struct Stage: Codable {
        /// Visitors so far.
        var visitors: Int
        /// Visitors a second since the stage before.
        var perSecond: Double
        /// CPU time of the hub for each of them.
        var cpuMicroseconds: Double
        /// The hub's memory.
        var residentBytes: Int
    }

    /// Higher: hub and visitors work at the same time; lower: fewer sockets.
    private static let atOnce = 64
    /// By then the hub remembers as many names of those who have left as it ever will.
    private static let settledAfter = 20_000
    /// How much the memory may grow after that, in bytes for each visitor: the smallest leak, one thing as small as the
    /// allocator has them for each, would be 32.
    private static let growthLimit = 16.0

    /// Which hub.
    var program: String
    /// What was seen on the way.
    var stages: [Stage] = []

    /// Has `total` visitors come and go, looking at the hub after each `step` of them.
    static func measure(_ server: Server, total: Int, step: Int) throws(BenchmarkError) -> Churn {
        let child = try server.start()
        defer { child.end(SIGKILL) }
        var churn = Churn(program: server.name)
        do {
            let address = try child.waitForAddress()
            let figures = ProcessFigures(id: child.id)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
            defer { buffer.deallocate() }
            var visitors = 0
            while visitors < total {
                let (start, cpu) = (monotonicNanoseconds(), try figures.cpuNanoseconds())
                let end = min(visitors + step, total)
                let count = end - visitors
                while visitors < end {
                    let group = min(atOnce, end - visitors)
                    try visit(server, at: address, visitors..<(visitors + group), buffer)
                    visitors += group
                }
                let seconds = Double(monotonicNanoseconds() - start) / 1e9
                let spent = Double(try figures.cpuNanoseconds() - cpu) / 1000
                churn.stages.append(
                    Stage(
                        visitors: visitors,
                        perSecond: Double(count) / seconds,
                        cpuMicroseconds: spent / Double(count),
                        residentBytes: try figures.residentBytes()
                    )
                )
                Progress.show("\(server.name): \(visitors) of \(total) came and went")
            }
            Progress.clear()
            return churn
        } catch {
            throw BenchmarkError("\(server.name), coming and going: \(error)\(child.lastWords)")
        }
    }

    private static func visit(
        _ server: Server,
        at address: ListeningAddress,
        _ numbers: Range<Int>,
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(BenchmarkError) {
        var visitors: [Visitor] = []
        for number in numbers {
            visitors.append(try Visitor(to: address, tls: server.tls, number: number, buffer: buffer))
        }
        for visitor in visitors { try visitor.signInAndLeave() }
        for visitor in visitors { try visitor.part() }
    }

    /// That nothing stays; nil where there were too few to tell.
    var check: Check? {
        guard let first = stages.first(where: { $0.visitors >= Self.settledAfter }), let last = stages.last,
            last.visitors > first.visitors
        else { return nil }
        return Check(
            name: "\(program): bytes that stay of each who came and went",
            value: Double(last.residentBytes - first.residentBytes) / Double(last.visitors - first.visitors),
            limit: Self.growthLimit
        )
    }

    /// The stages as a table.
    var table: Table {
        let heading = [
            "visitors", "came, signed in, left", "a second", "CPU us each", "a second of one core", "memory MB",
        ]
        let lines = stages.map {
            [
                String($0.visitors), program, fixed($0.perSecond, 0), fixed($0.cpuMicroseconds, 0),
                fixed(1_000_000 / $0.cpuMicroseconds, 0), fixed(Double($0.residentBytes) / 1_048_576, 2),
            ]
        }
        return Table(lines: [heading] + lines)
    }
}
