import BenchmarkClient
import BenchmarkSupport

/// An attacker that is not signed in: it fetches the metrics as fast as possible and sends texts of 62 KB, while a
/// client at another address signs in.
final class UnauthenticatedFlood: Attacker {
    private let address: ListeningAddress
    private let count: Int
    private let pages: HostileRequests
    private let legitimateClient: LegitimateClient
    private var sockets: [AttackSocket] = []
    private var nextAttempt: UInt64 = 0
    private var own = AttackTally()

    /// A request that is read completely and refused: listing calls requires a session.
    private static let text: [UInt8] = {
        let filling = String(repeating: "x", count: 62_000)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"observer.calls","params":{"t":"\#(filling)"}}"#
        return ClientFrame.encode(.text, request.utf8)
    }()

    init(_ address: ListeningAddress, count: Int) {
        (self.address, self.count) = (address, count)
        let metrics = HTTPProbe("GET /metrics HTTP/1.1", .status([200]))
        pages = HostileRequests(address, HostileRequests.Script(probes: [metrics], perSecond: 0))
        legitimateClient = LegitimateClient(address, Request.open(account: "friend"))
    }

    var tally: AttackTally { own.merging(pages.tally) }

    func step(_ now: UInt64) {
        pages.step(now)
        legitimateClient.step(now, &own)
        sockets.removeAll { !$0.isOpen }
        if sockets.count < count, now >= nextAttempt {
            if let socket = AttackSocket.open(address, &own) {
                sockets.append(socket)
            } else {
                nextAttempt = now + 100_000_000
            }
        }
        for socket in sockets {
            socket.send(Self.text, &own)
            socket.receive(&own)
        }
    }
}
