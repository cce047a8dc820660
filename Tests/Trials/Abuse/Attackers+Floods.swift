import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// Signed-in connections that are replaced when the hub has closed them.
final class AttackSockets {
    private let address: ListeningAddress
    private let count: Int
    private let name: String
    private var nextAttempt: UInt64 = 0
    private var number = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ address: ListeningAddress, count: Int, name: String) {
        (self.address, self.count, self.name) = (address, count, name)
    }

    /// Opens connections up to the number wanted; `opened` is called for each new one, with its number.
    func fill(
        _ now: UInt64,
        _ tally: inout AttackTally,
        opened: (AttackSocket, Int, inout AttackTally) -> Void = { _, _, _ in }
    ) {
        sockets.removeAll { !$0.isOpen }
        while sockets.count < count, now >= nextAttempt {
            guard let socket = AttackSocket.open(address, &tally) else {
                nextAttempt = now + 100_000_000
                return
            }
            number += 1
            socket.send(text: Request.open(account: "\(name)\(number)"), &tally)
            opened(socket, number, &tally)
            sockets.append(socket)
        }
    }
}

/// An attacker that sends requests, valid and invalid ones, as fast as possible.
final class ControlFlood: Attacker {
    private let sockets: AttackSockets
    private var turn = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "flood") }

    private static let messages = [
        #"{"jsonrpc":"2.0","id":1,"method":"session.ping","params":{"t":1}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"observer.calls"}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"transaction.request","params":{"actions":[]}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"recents.list","params":{"limit":1000}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"no.such"}"#, "[]", "not JSON",
        #"{"jsonrpc":"2.0","id":6,"method":"settings.set","params":{"displayName":"\#(String(repeating: "n", count: 250))"}}"#,
    ].map { ClientFrame.encode(.text, $0.utf8) }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally)
        for socket in sockets.sockets {
            for _ in 0..<8 {
                turn += 1
                socket.send(Self.messages[turn % Self.messages.count], &tally)
            }
            socket.receive(&tally)
        }
    }
}

/// An attacker that sends audio: far too fast, with a wrong SSRC, malformed, too large.
final class AudioFlood: Attacker {
    private let sockets: AttackSockets
    private var frames: [ObjectIdentifier: AudioFrame] = [:]
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "noise") }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally) { socket, _, tally in
            socket.send(text: Request.start(call: UUID().uuidString.lowercased(), to: "echo"), &tally)
        }
        for (index, socket) in sockets.sockets.enumerated() {
            socket.receive(&tally)
            guard let ssrc = socket.ssrc else { continue }
            for _ in 0..<10 {
                switch index % 4 {
                case 0:
                    var frame = frames[ObjectIdentifier(socket)] ?? AudioFrame(ssrc: ssrc)
                    frame.advance(sentAt: now)
                    frames[ObjectIdentifier(socket)] = frame
                    socket.send(frame.bytes, &tally)
                case 1: socket.send(AudioFrame(ssrc: ssrc &+ 1).bytes, &tally)
                case 2: socket.send(ClientFrame.encode(.binary, (0..<200).map { UInt8($0) }), &tally)
                default: socket.send(ClientFrame.encode(.binary, [UInt8](repeating: 0x80, count: 9_000)), &tally)
                }
            }
        }
        if frames.count > 1_000 { frames = [:] }
    }
}

/// An attacker whose connections all call one account, which is in a measured call, and end the call at once.
final class CallFlood: Attacker {
    private let sockets: AttackSockets
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "caller") }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally)
        for socket in sockets.sockets {
            let call = UUID().uuidString.lowercased()
            socket.send(text: Request.start(call: call, to: "u1"), &tally)
            socket.send(text: Request.end(call: call), &tally)
            socket.receive(&tally)
        }
    }
}

/// An attacker that sends pings of the largest size as fast as possible; every other connection reads no pongs.
final class PingFlood: Attacker {
    private let sockets: AttackSockets
    private let ping = ClientFrame.encode(.ping, [UInt8](repeating: 7, count: 125))
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "ping") }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally)
        for (index, socket) in sockets.sockets.enumerated() {
            for _ in 0..<20 { socket.send(ping, &tally) }
            if index % 2 == 0 { socket.receive(&tally) }
        }
    }
}
