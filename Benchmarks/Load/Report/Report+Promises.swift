import BenchmarkSupport

extension Report {
    /// The allocations a packet that count as none: occasional allocations of timers show in the fourth decimal.
    private static let allocationLimit = 0.001
    /// The limit of lost packets as a share of all sent: a program that drops its load would look cheap.
    private static let lossLimit = 0.001
    /// The limits of CPU a packet without batching, as multiples of the bare libwebsockets and the bare epoll relay's.
    private static let relayLimit = 1.15
    private static let epollLimit = 1.25
    /// The limit of a packet's cost with more calls, as a multiple: slices of one program differ by as much.
    private static let growthLimit = 1.1

    /// The hub's thresholds, each with the figure held against it.
    var promises: [Check] {
        let hubs = measurements.filter(\.isHub)
        var checks = hubs.flatMap { whole($0) + cheap($0) }
        for name in [Subject.hubName, Subject.unbatchedHubName] { checks += growth(hubs.filter { $0.program == name }) }
        if let halfLoad { checks.append(halfLoad.check) }
        if let setup { checks.append(setup.check) }
        return checks
    }

    private func whole(_ figures: Measurement) -> [Check] {
        let name = "\(figures.program), \(figures.load.text)"
        return [
            Check(
                name: "\(name): allocations a packet",
                value: figures.allocationsPerPacket,
                limit: Self.allocationLimit
            ),
            Check(
                name: "\(name): share of packets lost",
                value: Double(figures.packets.lost) / Double(max(figures.packets.sent, 1)),
                limit: Self.lossLimit
            ),
        ]
    }

    /// Checks the CPU time a packet against the bare relays' with the same load.
    ///
    /// Without batching the hub is nearly as cheap as both; with the default settings it is cheaper than the one of
    /// libwebsockets.
    private func cheap(_ figures: Measurement) -> [Check] {
        let limits: [(String, Double)] =
            figures.program == Subject.unbatchedHubName
            ? [(Subject.relayName, Self.relayLimit), (Subject.limitName, Self.epollLimit)] : [(Subject.relayName, 1)]
        return limits.compactMap { other, limit in
            ratio(figures, to: other).map {
                Check(name: "\(figures.program), \(figures.load.text): CPU in \(other)s", value: $0, limit: limit)
            }
        }
    }

    /// Checks that a packet costs no more with more calls, as long as there are no fewer packets to share a wakeup.
    private func growth(_ figures: [Measurement]) -> [Check] {
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
