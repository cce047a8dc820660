import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Clients that connect, sign in and leave, one after the other, for long: the cost of each, and a check for leaks.
struct ConnectionChurn: Codable {
    /// The hub's figures after a number of clients.
    struct Stage: Codable {
        /// Clients so far.
        var visitors: Int
        /// Clients a second since the stage before.
        var perSecond: Double
        /// CPU time of the hub for each client since the stage before.
        var cpuMicroseconds: Double
        /// The hub's resident memory.
        var residentBytes: Int
    }

    /// Higher: hub and clients work at the same time; lower: fewer sockets.
    private static let atOnce = 64
    /// The number of clients after which the hub holds as many names of past clients as it ever will.
    private static let settledAfter = 20_000
    /// The limit of memory growth after that, in bytes a client.
    ///
    /// The smallest leak, one block of the allocator's smallest size for each client, would be 32.
    private static let growthLimit = 16.0

    /// The name of the hub.
    var program: String
    /// The figures on the way, one stage for each `step` of clients.
    var stages: [Stage] = []

    /// Connects and disconnects `total` clients, and reads the hub's figures after each `step` of them.
    static func measure(_ server: Server, total: Int, step: Int) throws(BenchmarkError) -> ConnectionChurn {
        let child = try server.start()
        defer { child.end(SIGKILL) }
        var churn = ConnectionChurn(program: server.name)
        do {
            let address = try child.waitForAddress()
            let figures = ProcessStatistics(id: child.id)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
            defer { buffer.deallocate() }
            var visitors = 0
            while visitors < total {
                let (start, cpu) = (monotonicNanoseconds(), try figures.cpuNanoseconds())
                let end = min(visitors + step, total)
                let count = end - visitors
                while visitors < end {
                    let group = min(atOnce, end - visitors)
                    try runClients(server, at: address, visitors..<(visitors + group), buffer)
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
            throw BenchmarkError("\(server.name), coming and going: \(error)\(child.lastOutput)")
        }
    }

    private static func runClients(
        _ server: Server,
        at address: ListeningAddress,
        _ numbers: Range<Int>,
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(BenchmarkError) {
        var visitors: [ShortLivedClient] = []
        for number in numbers {
            visitors.append(try ShortLivedClient(to: address, tls: server.tls, number: number, buffer: buffer))
        }
        for visitor in visitors { try visitor.signInAndLeave() }
        for visitor in visitors { try visitor.closeConnection() }
    }

    /// The check that memory does not grow; nil if there were too few clients.
    var check: Check? {
        guard let first = stages.first(where: { $0.visitors >= Self.settledAfter }), let last = stages.last,
            last.visitors > first.visitors
        else { return nil }
        return Check(
            name: "\(program): bytes that remain of each disconnected client",
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
