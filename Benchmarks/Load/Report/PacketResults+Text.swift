import BenchmarkClient
import BenchmarkSupport

extension PacketResults {
    /// The figures as tables, with the lines that belong to them.
    var text: String {
        var parts = [mainTable.text, latencyTable.text]
        let ciphers = Set(measurements.compactMap { $0.encryption.map { "Under TLS: \($0).\n" } })
        if !ciphers.isEmpty { parts.append(ciphers.sorted().joined()) }
        if let table = systemCallTable {
            parts.append("system calls a packet\n" + table.text)
        }
        if measurements.contains(where: { !$0.isCarried }) {
            parts.append(
                """
                A program whose losses have a ! did not carry this load: it dropped packets, or did not take them in, so
                that its latency is that of full buffers. What it did pass on is in its CPU time a packet.

                """
            )
        }
        return parts.joined(separator: "\n")
    }

    private var mainTable: Table {
        let heading = [
            "load", "program", "packets/s", "CPU us/packet", "slices", "in kernel", "x epoll", "x relay",
            "allocations/packet", "lost", "idle KB/connection", "in call",
        ]
        let lines = measurements.map { figures in
            [
                figures.load.text, figures.program, fixed(figures.packetsPerSecond, 0),
                fixed(figures.cpuMicrosecondsPerPacket, 2),
                figures.cpuMicrosecondsPerPacketBySlice.map { fixed($0, 1) }.joined(separator: " "),
                fixed(figures.kernelShare * 100, 0) + " %",
                figures.encryption == nil
                    ? ratio(figures, to: ProgramUnderTest.limitName).map { fixed($0, 2) } ?? "" : "",
                ratio(figures, to: ProgramUnderTest.relayName(beside: figures.program)).map { fixed($0, 2) } ?? "",
                figures.allocationsPerPacket.map { fixed($0, 4) } ?? "?",
                String(figures.packets.lost + figures.packets.refused) + (figures.isCarried ? "" : " !"),
                fixed(Double(figures.bytesPerIdleConnection) / 1024, 1),
                fixed(Double(figures.bytesPerConnectionInCall) / 1024, 1),
            ]
        }
        return Table(lines: [heading] + lines)
    }

    private var latencyTable: Table {
        let heading = [
            "load", "latency us", "p50", "p90", "p99", "p99.9", "max", "busy", "sent late p99", "generator CPU",
            "kept pace",
        ]
        let lines = measurements.map { figures in
            let latency = figures.latencyMicroseconds
            let times = [latency.p50, latency.p90, latency.p99, latency.p999, latency.max]
            return [figures.load.text, figures.program] + times.map { fixed($0, 0) } + [
                fixed(figures.busyShare * 100, 0) + " %",
                fixed(figures.generator.latenessMicroseconds.p99, 0),
                fixed(figures.generator.cpuShare * 100, 0) + " %",
                figures.generator.keptPace ? "yes" : "NO",
            ]
        }
        return Table(lines: [heading] + lines)
    }

    /// System calls by name, a line for each program and load; nil if they were not counted.
    private var systemCallTable: Table? {
        let counted = measurements.filter { $0.systemCallsPerPacket != nil }
        guard !counted.isEmpty else {
            return nil
        }
        let all = counted.map { $0.systemCallsPerPacket ?? [:] }
        // Calls less frequent than once in a thousand packets are no part of relaying.
        let names = Set(all.flatMap { $0.filter { $0.value >= 0.001 }.keys }).sorted()
        let lines = zip(counted, all).map { figures, calls in
            [figures.load.text, figures.program, fixed(calls.values.reduce(0, +), 3)]
                + names.map { fixed(calls[$0] ?? 0, 3) }
        }
        return Table(lines: [["load", "program", "all"] + names] + lines)
    }
}
