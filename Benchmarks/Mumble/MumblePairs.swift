import BenchmarkClient
import BenchmarkSupport

/// Users of a Mumble server in pairs, each pair in a channel of its own.
final class MumblePairs {
    /// All users; those of a pair follow one another.
    let clients: [MumbleClient]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

    /// Makes the channels, signs everybody in, and has each go into its channel.
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
        // What everybody was told of everybody.
        let end = monotonicNanoseconds() + 1_000_000_000
        while case let now = monotonicNanoseconds(), now < end {
            try receive(nanoseconds: end - now) { _, _ in }
        }
    }

    deinit {
        buffer.deallocate()
    }

    /// Waits at most `nanoseconds`, and hands what came of voice to `deliver`, with the number of whom it came to.
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
