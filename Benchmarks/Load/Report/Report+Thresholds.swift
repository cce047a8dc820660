import BenchmarkSupport

extension PacketResults {
    /// The limit of allocations a packet: 0.0000 in the table.
    private static let allocationLimit = 0.000_049
    /// The limit of allocations a packet more than the relay's under TLS.
    ///
    /// OpenSSL allocates four times a write. A receiver report that no packet follows within 80 ms, as with 12 packets
    /// a second, is a write of its own, which a relay does not have: 0.067 a packet at 2000@12, all of it in OpenSSL.
    private static let secureAllocationLimit = 0.1
    /// The limit of lost packets as a share of all sent: a program that drops its load would look cheap.
    private static let lossLimit = 0.001
    /// The limits of CPU a packet as multiples of the bare libwebsockets relay's, in clear and under TLS.
    private static let relayLimit = 1.0
    private static let secureRelayLimit = 1.1
    /// The limit of a packet's cost with more calls, as a multiple: slices of one program differ by as much.
    private static let growthLimit = 1.1

    /// The thresholds of the hub with its default settings, each with the figure held against it.
    var checks: [Check] {
        let hubs = measurements.filter {
            [ProgramUnderTest.hubName, ProgramUnderTest.secureHubName].contains($0.program)
        }
        var checks = hubs.flatMap { [lossCheck($0)] + allocationChecks($0) + cpuChecks($0) }
        checks += growthChecks(hubs.filter { $0.program == ProgramUnderTest.hubName })
        return checks
    }

    private func lossCheck(_ figures: Measurement) -> Check {
        Check(
            name: "\(figures.program), \(figures.load.text): share of packets lost",
            value: Double(figures.packets.lost) / Double(max(figures.packets.sent, 1)),
            limit: Self.lossLimit
        )
    }

    /// Checks the allocations a packet.
    ///
    /// Under TLS OpenSSL allocates for each record, so that those of the bare relay with the same load are subtracted;
    /// none is checked if the relay was not measured.
    private func allocationChecks(_ figures: Measurement) -> [Check] {
        var (name, value) = ("allocations a packet", figures.allocationsPerPacket)
        var limit = Self.allocationLimit
        if figures.encryption != nil {
            let relay = ProgramUnderTest.relayName(beside: figures.program)
            guard let other = self.figures(of: relay, figures.load) else { return [] }
            name += " more than \(relay)"
            limit = Self.secureAllocationLimit
            value = value.flatMap { own in other.allocationsPerPacket.map { own - $0 } }
        }
        let program = "\(figures.program), \(figures.load.text)"
        return [Check(name: "\(program): \(name)", value: value, limit: limit)]
    }

    /// Checks the CPU time a packet against the bare libwebsockets relay's with the same load, both in clear or both
    /// under TLS; none if the relay was not measured.
    private func cpuChecks(_ figures: Measurement) -> [Check] {
        let relay = ProgramUnderTest.relayName(beside: figures.program)
        guard let ratio = ratio(figures, to: relay) else { return [] }
        return [
            Check(
                name: "\(figures.program), \(figures.load.text): CPU a packet, as a multiple of \(relay)'s",
                value: ratio,
                limit: figures.encryption == nil ? Self.relayLimit : Self.secureRelayLimit
            )
        ]
    }

    /// Checks that a packet costs no more with more calls, as long as there are no fewer packets to share a wakeup.
    private func growthChecks(_ figures: [Measurement]) -> [Check] {
        let ordered = figures.sorted { $0.load.calls < $1.load.calls }
        return zip(ordered, ordered.dropFirst()).compactMap { fewer, more in
            guard fewer.load.calls < more.load.calls, fewer.load.packetsInAll <= more.load.packetsInAll * 11 / 10 else {
                return nil
            }
            return Check(
                name: "\(more.program), \(more.load.text): CPU a packet in that with \(fewer.load.text)",
                value: more.cpuMicrosecondsPerPacket / fewer.cpuMicrosecondsPerPacket,
                limit: Self.growthLimit
            )
        }
    }
}
