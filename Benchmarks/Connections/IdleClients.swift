import BenchmarkClient
import BenchmarkSupport

/// Clients that connect, sign in if the server is a hub, and then do nothing but answer pings.
final class IdleClients {
    /// Higher: connected sooner; lower: fewer wait for their response at once.
    private static let atOnce = 64
    /// Higher: a slow server may finish; lower: one that never answers is noticed sooner.
    private static let timeoutNanoseconds: UInt64 = 20_000_000_000

    private let poller: Poller
    private var connections: [Connection] = []
    private var signedIn = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

    /// Connects that many to the server at `address`.
    init(_ count: Int, to server: Server, at address: ListeningAddress) throws(BenchmarkError) {
        poller = try Poller()
        connections.reserveCapacity(count)
        for number in 0..<count {
            let connection = try Connection(
                to: address,
                path: server.isHub ? "/v1" : "/pair/\(number / 2)",
                subprotocol: server.isHub ? "callhub.v1" : nil,
                number: number,
                peer: number ^ 1,
                poller: poller,
                tls: server.tls,
                from: source(number)
            )
            connections.append(connection)
            if server.isHub { try connection.send(text: Request.open(account: "u\(number)")) }
            if number % Self.atOnce == 0 { try stay(nanoseconds: 0) }
        }
        let deadline = monotonicNanoseconds() + Self.timeoutNanoseconds
        while server.isHub, signedIn < count {
            guard monotonicNanoseconds() < deadline else {
                throw BenchmarkError("only \(signedIn) of \(count) clients signed in in time")
            }
            try stay(nanoseconds: 100_000_000)
        }
    }

    deinit {
        for connection in connections { connection.abort() }
        buffer.deallocate()
    }

    /// Stays connected for that many nanoseconds.
    func stay(for nanoseconds: UInt64) throws(BenchmarkError) {
        let end = monotonicNanoseconds() + nanoseconds
        while case let now = monotonicNanoseconds(), now < end {
            try stay(nanoseconds: end - now)
        }
    }

    private func stay(nanoseconds: UInt64) throws(BenchmarkError) {
        try poller.wait(nanoseconds: nanoseconds) { number throws(BenchmarkError) in
            try connections[number].receive(into: buffer) { opcode, payload throws(BenchmarkError) in
                guard opcode == .text else { return }
                let message = ScannedMessage(payload)
                switch message.kind {
                case .signedIn: signedIn += 1
                case .refused: throw BenchmarkError("the hub refused to sign u\(number) in: \(message.text)")
                case .ringing, .connected, .ended, .audioActivated, .other: return
                }
            }
        }
    }
}
