import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// An attacker that opens connections by the hundred and sends each handshake a byte at a time.
final class SlowHandshakes: Attacker {
    private let address: ListeningAddress
    private let count: Int
    private var sockets: [(socket: AttackSocket, sent: Int, due: UInt64)] = []
    private let request = Array(OpeningHandshake.request(path: "/v1", subprotocol: "callhub.v1").utf8)
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) {
        (self.address, self.count) = (address, count)
    }

    func step(_ now: UInt64) {
        for _ in 0..<20 where sockets.count < count {
            guard let socket = AttackSocket.bare(address, &tally) else { break }
            sockets.append((socket, 0, now))
        }
        for index in sockets.indices where sockets[index].due <= now && sockets[index].sent < request.count {
            sockets[index].socket.send([request[sockets[index].sent]], &tally)
            sockets[index].sent += 1
            sockets[index].due = now + 200_000_000
            sockets[index].socket.receive(&tally)
        }
        sockets.removeAll { !$0.socket.isOpen }
    }
}

/// An attacker that signs in with a new account each time, and drops the connection after the response.
final class SignInFlood: Attacker {
    private let address: ListeningAddress
    private var waiting: [AttackSocket] = []
    private var number = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress) { self.address = address }

    func step(_ now: UInt64) {
        for _ in 0..<4 where waiting.count < 100 {
            guard let socket = AttackSocket.open(address, &tally) else { return }
            number += 1
            socket.send(text: Request.open(account: "stranger\(number)"), &tally)
            waiting.append(socket)
        }
        for socket in waiting { socket.receive(&tally) }
        waiting.removeAll { !$0.isOpen || $0.answers > 0 }
    }
}

/// An attacker that sends requests and reads no response.
final class NeverRead: Attacker {
    private let address: ListeningAddress
    private let count: Int
    private var sockets: [AttackSocket] = []
    private var number = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) {
        (self.address, self.count) = (address, count)
    }

    func step(_ now: UInt64) {
        if sockets.count < count, let socket = AttackSocket.open(address, &tally, receiveBuffer: 4_096) {
            number += 1
            socket.send(text: Request.open(account: "deaf\(number)"), &tally)
            // Every other connection is in a call, too, whose packets it does not read either.
            if number % 2 == 0 {
                socket.send(text: Request.start(call: UUID().uuidString.lowercased(), to: "music"), &tally)
            }
            sockets.append(socket)
        }
        let wish = String(repeating: "x", count: 200)
        for socket in sockets {
            for _ in 0..<4 {
                socket.send(
                    text: #"{"jsonrpc":"2.0","id":7,"method":"session.ping","params":{"t":"\#(wish)"}}"#,
                    &tally
                )
            }
        }
        sockets.removeAll { !$0.isOpen }
    }
}
