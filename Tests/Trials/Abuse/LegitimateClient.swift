import BenchmarkClient
import BenchmarkSupport

/// A legitimate client at its own address, to which limits apply too: it signs in and out repeatedly.
final class LegitimateClient {
    /// Nanoseconds from one sign-in to the next: 300 a minute, half of what limits.signInsPerMinute grants an address.
    private static let interval: UInt64 = 200_000_000
    /// Nanoseconds; longer: a slow hub can still answer.
    private static let timeout: UInt64 = 5_000_000_000

    private let address: ListeningAddress
    private let request: String
    private var socket: AttackSocket?
    private var asked: UInt64 = 0
    private var own = AttackTally()

    /// Creates a client that is not connected.
    ///
    /// - Parameters:
    ///   - address: The address of the hub.
    ///   - request: The text of `session.open`.
    init(_ address: ListeningAddress, _ request: String) {
        (self.address, self.request) = (address, request)
    }

    /// Continues a sign-in, or begins the next one.
    ///
    /// - Parameters:
    ///   - now: The time, in nanoseconds.
    ///   - tally: The tally in which sign-ins that were granted, and others, are counted.
    func step(_ now: UInt64, _ tally: inout AttackTally) {
        guard let socket else {
            if now >= asked + Self.interval { begin(now, &tally) }
            return
        }
        let errors = own.errors
        socket.receive(&own)
        let refusal: String? =
            if let code = own.errors.first(where: { errors[$0.key] != $0.value })?.key {
                "error \(code)"
            } else if socket.answers == 0, let ending = socket.ending {
                "closed, \(ending)"
            } else if socket.answers == 0, now > asked + Self.timeout {
                "no answer within 5 s"
            } else {
                nil
            }
        guard refusal != nil || socket.answers > 0 else { return }
        if let refusal {
            AttackTally.add(refusal, to: &tally.friendRefusals)
        } else {
            tally.friendSignIns += 1
            socket.send(text: Request.close, &own)
        }
        self.socket = nil
    }

    private func begin(_ now: UInt64, _ tally: inout AttackTally) {
        asked = now
        socket = AttackSocket.open(address, &own, from: AttackSocket.legitimateSource)
        guard let socket else { return AttackTally.add("no connection", to: &tally.friendRefusals) }
        socket.send(text: request, &own)
    }
}
