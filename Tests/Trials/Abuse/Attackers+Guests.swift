import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// Guests of one link, which sign in again when their connection is closed.
private final class Guests {
    private let address: ListeningAddress
    private let count: Int
    private let request: String
    private var nextAttempt: UInt64 = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ address: ListeningAddress, count: Int, token: String) {
        (self.address, self.count) = (address, count)
        request = Request.openAsGuest(token: token)
    }

    func fill(_ now: UInt64, _ tally: inout AttackTally) {
        sockets.removeAll { !$0.isOpen }
        while sockets.count < count, now >= nextAttempt {
            guard let socket = AttackSocket.open(address, &tally) else {
                nextAttempt = now + 100_000_000
                return
            }
            socket.send(text: request, &tally)
            sockets.append(socket)
        }
    }
}

/// An attacker whose guests of one link call the account of a measured call as fast as possible, and hang up.
final class LinkGuests: Attacker {
    private let guests: Guests
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int, token: String) {
        guests = Guests(address, count: count, token: token)
    }

    func step(_ now: UInt64) {
        guests.fill(now, &tally)
        for socket in guests.sockets {
            let call = UUID().uuidString.lowercased()
            socket.send(text: Request.start(call: call, to: AttackProcess.linkedAccount), &tally)
            socket.send(text: Request.end(call: call), &tally)
            socket.receive(&tally)
        }
    }
}

/// Guests show their token again and again, while a client at another address signs in by a token.
final class RefreshFlood: Attacker {
    /// Nanoseconds: 180 requests a second, as many as a connection may send without being closed for it.
    private static let interval: UInt64 = 5_555_555

    private let guests: Guests
    private let refresh: [UInt8]
    private let legitimateClient: LegitimateClient
    private var due: UInt64 = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int, token: String) {
        guests = Guests(address, count: count, token: token)
        refresh = ClientFrame.encode(
            .text,
            #"{"jsonrpc":"2.0","id":9,"method":"session.refresh","params":{"token":"\#(token)"}}"#.utf8
        )
        legitimateClient = LegitimateClient(address, Request.openAsGuest(token: token))
    }

    func step(_ now: UInt64) {
        guests.fill(now, &tally)
        legitimateClient.step(now, &tally)
        let isDue = now >= due
        if isDue { due = now + Self.interval }
        for socket in guests.sockets {
            if isDue { socket.send(refresh, &tally) }
            socket.receive(&tally)
        }
    }
}

extension Request {
    /// Signs in by a link's token, as a guest without a name.
    fileprivate static func openAsGuest(token: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"token":"\#(token)","#
            + #""client":{"name":"callhub-bench","version":"1"}}}"#
    }
}
