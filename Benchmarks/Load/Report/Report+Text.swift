import BenchmarkClient
import BenchmarkSupport

extension Report {
    /// The report as a table, with what is to be said beside it.
    var text: String {
        var parts = measurements.isEmpty ? [] : [mainTable.text, latencyTable.text]
        if let setup { parts.append(setup.table.text) }
        if let table = systemCallTable {
            parts.append("system calls a packet, when each comes alone\n" + table.text)
        }
        if !checks.isEmpty {
            parts.append(checks.map(\.line).joined())
        }
        if !isBelievable {
            parts.append(
                """
                The generator did not keep pace where the last column says NO: those figures are worthless.
                Give it a quieter machine, fewer calls, or more cores.

                """
            )
        }
        return parts.joined(separator: "\n")
    }

    private var mainTable: Table {
        let heading = [
            "calls", "program", "packets/s", "CPU us/packet", "slices", "ratio", "allocations/packet", "lost",
            "idle KB/connection", "in call",
        ]
        let lines = measurements.map { figures in
            let ratio = ratios.first { $0.calls == figures.calls && figures.program == .hub }
            return [
                String(figures.calls), figures.program.rawValue, fixed(figures.packetsPerSecond, 0),
                fixed(figures.cpuMicrosecondsPerPacket, 2),
                figures.cpuMicrosecondsPerPacketBySlice.map { fixed($0, 1) }.joined(separator: " "),
                ratio.map { fixed($0.cpuPerPacket, 2) } ?? "",
                figures.allocationsPerPacket.map { fixed($0, 4) } ?? "?",
                String(figures.packets.lost + figures.packets.refused),
                fixed(Double(figures.bytesPerIdleConnection) / 1024, 1),
                fixed(Double(figures.bytesPerConnectionInCall) / 1024, 1),
            ]
        }
        return Table(lines: [heading] + lines)
    }

    private var latencyTable: Table {
        let heading = [
            "calls", "latency us", "p50", "p90", "p99", "p99.9", "max", "sent late p99", "generator CPU", "kept pace",
        ]
        let lines = measurements.map { figures in
            let latency = figures.latencyMicroseconds
            let times = [latency.p50, latency.p90, latency.p99, latency.p999, latency.max]
            return [String(figures.calls), figures.program.rawValue] + times.map { fixed($0, 0) } + [
                fixed(figures.generator.latenessMicroseconds.p99, 0),
                fixed(figures.generator.cpuShare * 100, 0) + " %",
                figures.generator.keptPace ? "yes" : "NO",
            ]
        }
        return Table(lines: [heading] + lines)
    }

    /// System calls by name, a column a program; nil where they were not counted.
    private var systemCallTable: Table? {
        let counted = measurements.filter { $0.systemCallsPerPacket != nil }
        guard !counted.isEmpty else {
            return nil
        }
        let names = Set(counted.flatMap { $0.systemCallsPerPacket.map { Array($0.keys) } ?? [] }).sorted()
        let heading = ["", "name"] + counted.map(\.program.rawValue)
        let lines = names.map { name in
            ["", name] + counted.map { fixed($0.systemCallsPerPacket?[name] ?? 0, 3) }
        }
        return Table(lines: [heading] + lines)
    }
}
