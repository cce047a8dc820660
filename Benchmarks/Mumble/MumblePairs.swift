import BenchmarkClient
import BenchmarkSupport

/// Users of a Mumble server in pairs, each pair in a channel of its own.
final class MumblePairs {
    /// All users; the two of a pair are neighbours.
    let clients: [MumbleClient]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

    /// Makes the channels, signs all users in, and has each enter its channel.
    init(_ pairs: Int, at address: ListeningAddress, tls: TLSClient) throws(BenchmarkError) {
        poller = try Poller()
        let keeper = try MumbleClient(
            to: address,
            tls: tls,
            name: MumbleServer.superUser,
            password: MumbleServer.password,
            buffer: buffer
        )
        var channels: [UInt64] = []
        for pair in 0..<pairs { channels.append(try keeper.makeChannel("pair \(pair)")) }
        var clients: [MumbleClient] = []
        for number in 0..<(2 * pairs) {
            let client = try MumbleClient(to: address, tls: tls, name: "u\(number)", buffer: buffer)
            try client.enter(channels[number / 2])
            try client.beginToTalk(poller, number: number)
            clients.append(client)
        }
        self.clients = clients
        // The server notifies every user of every other one.
        let end = monotonicNanoseconds() + 1_000_000_000
        while case let now = monotonicNanoseconds(), now < end {
            try receive(nanoseconds: end - now) { _, _ in }
        }
    }

    deinit {
        buffer.deallocate()
    }

    /// Waits at most `nanoseconds`, and passes received voice to `deliver`, with the index of the receiving user.
    func receive(
        nanoseconds: UInt64,
        deliver: (Int, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        try poller.wait(nanoseconds: nanoseconds) { number throws(BenchmarkError) in
            try clients[number].receive { kind, body throws(BenchmarkError) in
                if kind == .udpTunnel { try deliver(number, body) }
            }
        }
    }
}
