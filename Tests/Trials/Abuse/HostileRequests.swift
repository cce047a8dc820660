import BenchmarkClient
import BenchmarkSupport

/// Sends HTTP requests, each on a connection of its own, and judges the whole answer to each.
final class HostileRequests: Attacker {
    /// Requests to send, one after the other and again.
    struct Script {
        var probes: [HTTPProbe]
        /// The address to send them from.
        var source = AttackSocket.source
        /// Requests a second; 0: as fast as it goes.
        ///
        /// Below limits.requestsPerSecond (200), so that the hub reads each of them.
        var perSecond: UInt64 = 150
    }

    /// More: the hub has more of them at once; they are still below its limit of sockets by address.
    private static let maximumInFlight = 32

    private let address: ListeningAddress
    private let script: Script
    private var exchanges: [HTTPExchange] = []
    private var turn = 0
    private var due: UInt64 = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, _ script: Script) {
        (self.address, self.script) = (address, script)
    }

    func step(_ now: UInt64) {
        var started = 0
        while exchanges.count < Self.maximumInFlight, due <= now, started < 8, !script.probes.isEmpty {
            started += 1
            // Missed requests are not made up for.
            due = max(due, now < 100_000_000 ? 0 : now - 100_000_000)
            due = script.perSecond > 0 ? due + 1_000_000_000 / script.perSecond : now
            begin(now)
        }
        exchanges.removeAll { exchange in
            guard let verdict = exchange.step(now) else { return false }
            note(verdict)
            return true
        }
    }

    private func begin(_ now: UInt64) {
        let probe = script.probes[turn % script.probes.count]
        turn += 1
        tally.attempts += 1
        guard let exchange = HTTPExchange(probe, to: address, from: script.source, at: now) else {
            return AttackTally.add("no connection", to: &tally.refused)
        }
        tally.opened += 1
        tally.sent += 1
        exchanges.append(exchange)
    }

    private func note(_ verdict: HTTPProbe.Verdict) {
        switch verdict {
        case .right: AttackTally.add("as expected", to: &tally.closes)
        case .limited: AttackTally.add("HTTP 429", to: &tally.refused)
        case .unanswered: AttackTally.add("without an answer", to: &tally.closes)
        case .wrong(let kind): AttackTally.add(kind, to: &tally.wrong)
        }
    }
}
