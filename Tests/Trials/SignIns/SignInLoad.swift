import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Clients that sign in by password, leave and sign in again: `callhub-trials sign-in-crowd PORT SECONDS CLIENTS`.
///
/// They run in a process of their own, so that they do not delay the generator of the measured calls.
final class SignInLoad {
    /// The results of all sign-ins.
    struct Tally: Codable {
        /// The time of each sign-in, from the request to the response.
        var milliseconds: [Int] = []
        /// Refused sign-ins, by code.
        var refused: [String: Int] = [:]
        /// The time that it all took, in seconds.
        var seconds = 0.0
    }

    /// Returns the account of a client.
    static func account(_ number: Int) -> String { "guest\(number)" }

    /// Signs clients in for the given time, and prints the tally as JSON.
    static func run(_ arguments: [String]) throws(BenchmarkError) {
        guard arguments.count == 3, let port = UInt16(arguments[0]) else {
            throw BenchmarkError("sign-in-crowd requires a port, seconds and clients; the trial \"sign-ins\" starts it")
        }
        let seconds = try number(arguments[1], "seconds", 1...3_600)
        let clients = try number(arguments[2], "clients", 1...1_000)
        // The measured calls and their hub have precedence.
        nice(10)
        let signInLoad = try SignInLoad(ListeningAddress(host: "127.0.0.1", port: port), clients: clients)
        try signInLoad.runLoad(nanoseconds: UInt64(seconds) * 1_000_000_000)
        try write(signInLoad.tally, text: "", to: "-")
    }

    /// A client that waits for its response.
    private struct Client {
        let connection: Connection
        let requestedAt: UInt64
    }

    private let address: ListeningAddress
    private let poller: Poller
    private var clients: [Client?]
    /// The time at which each refused client tries again, in nanoseconds of the monotonic clock.
    private var retryTimes: [UInt64]
    private var tally = Tally()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    private init(_ address: ListeningAddress, clients: Int) throws(BenchmarkError) {
        self.address = address
        poller = try Poller()
        self.clients = Array(repeating: nil, count: clients)
        retryTimes = Array(repeating: 0, count: clients)
    }

    deinit { buffer.deallocate() }

    private func runLoad(nanoseconds: UInt64) throws(BenchmarkError) {
        let start = monotonicNanoseconds()
        while case let now = monotonicNanoseconds(), now < start + nanoseconds {
            for number in clients.indices where clients[number] == nil && retryTimes[number] <= now {
                try signIn(number)
            }
            var answered: [Int] = []
            try poller.wait(nanoseconds: 100_000_000) { number throws(BenchmarkError) in
                if try readResponse(number) { answered.append(number) }
            }
            for number in answered {
                try clients[number]?.connection.send(text: Request.close)
                clients[number] = nil
            }
        }
        tally.seconds = Double(monotonicNanoseconds() - start) / 1e9
    }

    private func signIn(_ number: Int) throws(BenchmarkError) {
        let connection = try Connection(
            to: address,
            path: "/v1",
            subprotocol: "callhub.v1",
            number: number,
            peer: number,
            poller: poller
        )
        let account = Self.account(number)
        try connection.send(text: Request.open(account: account, .password(TrialAccounts.password)))
        clients[number] = Client(connection: connection, requestedAt: monotonicNanoseconds())
    }

    /// Reads the bytes that are there; returns true if the response was among them.
    private func readResponse(_ number: Int) throws(BenchmarkError) -> Bool {
        guard let client = clients[number] else { return false }
        var isAnswered = false
        try client.connection.receive(into: buffer) { opcode, payload throws(BenchmarkError) in
            guard opcode == .text, !isAnswered else { return }
            let message = ScannedMessage(payload)
            switch message.kind {
            case .signedIn:
                tally.milliseconds.append(Int((monotonicNanoseconds() - client.requestedAt) / 1_000_000))
                isAnswered = true
            case .refused:
                let code = try HubMessage.read(payload).error?.code
                tally.refused[code.map { String($0) } ?? "?", default: 0] += 1
                // The hub's data.retryAfterSeconds of an `overloaded` error.
                retryTimes[number] = monotonicNanoseconds() + 5_000_000_000
                isAnswered = true
            case .ringing, .connected, .ended, .audioActivated, .other: break
            }
        }
        return isAnswered
    }
}
