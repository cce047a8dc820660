import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The cost of many clients that are signed in and idle.
struct IdleResults: Codable {
    /// The time in nanoseconds that a program has to release memory before it is measured.
    private static let restNanoseconds: UInt64 = 2_000_000_000

    /// The name of the program.
    var program: String
    /// The number of clients.
    var connections: Int
    /// The program's resident memory before the first of them.
    var bytesEmpty: Int
    /// The memory that each adds, in bytes.
    var bytesPerConnection: Double
    /// CPU time for each to connect, with its handshakes, and to sign in.
    var cpuMicrosecondsPerSignIn: Double
    /// CPU time afterwards as a share of one core, 1 for a whole core.
    var idleShare: Double

    /// Starts the server, connects all clients, and leaves them idle for a number of seconds.
    static func measure(_ server: Server, connections: Int, seconds: Int) throws(BenchmarkError) -> IdleResults {
        let child = try server.start()
        defer { child.end(SIGKILL) }
        do {
            let address = try child.waitForAddress()
            let figures = ProcessStatistics(id: child.id)
            usleep(300_000)
            let empty = try figures.residentBytes()
            let start = try figures.cpuNanoseconds()
            let crowd = try IdleClients(connections, to: server, at: address)
            let signedIn = try figures.cpuNanoseconds()
            try crowd.stay(for: restNanoseconds)
            let full = try figures.residentBytes()
            let before = try figures.cpuNanoseconds()
            try crowd.stay(for: UInt64(seconds) * 1_000_000_000)
            let after = try figures.cpuNanoseconds()
            return IdleResults(
                program: server.name,
                connections: connections,
                bytesEmpty: empty,
                bytesPerConnection: Double(full - empty) / Double(connections),
                cpuMicrosecondsPerSignIn: Double(signedIn - start) / Double(connections) / 1000,
                idleShare: Double(after - before) / Double(seconds) / 1e9
            )
        } catch {
            throw BenchmarkError("\(server.name), \(connections) connections: \(error)\(child.lastOutput)")
        }
    }

    /// The threshold for a hub, 12 KiB a connection in clear and 30 KiB under TLS; nil for other programs.
    func check(isHub: Bool, isSecure: Bool) -> Check? {
        guard isHub else { return nil }
        return Check(
            name: "\(program): KB of memory a connection",
            value: bytesPerConnection / 1024,
            limit: isSecure ? 30 : 12
        )
    }

    /// All figures as a table.
    static func table(_ figures: [IdleResults]) -> Table {
        let heading = [
            "connections", "idle", "empty MB", "KB/connection", "CPU us to sign in", "idle CPU, % of a core",
        ]
        let lines = figures.map {
            [
                String($0.connections), $0.program, fixed(Double($0.bytesEmpty) / 1_048_576, 1),
                fixed($0.bytesPerConnection / 1024, 2), fixed($0.cpuMicrosecondsPerSignIn, 0),
                fixed($0.idleShare * 100, 2),
            ]
        }
        return Table(lines: [heading] + lines)
    }
}
