import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// Pairs of connections in a call: one sends 64 digits as fast as possible, the other reads slowly, and must not be
/// closed for it.
final class DigitFlood: Attacker {
    /// Two connections and their call.
    private struct Pair {
        let number: Int
        let caller: AttackSocket
        let listener: AttackSocket
        let call = UUID().uuidString.lowercased()
        var hasStarted = false
        var hasAnswered = false
        var nextKey: UInt64 = 0
        var nextRead: UInt64 = 0
        var nextKeepAlive: UInt64 = 0

        var isWhole: Bool { caller.isOpen && listener.isOpen }
    }

    /// Nanoseconds and bytes of the listener's reads: 80 KB/s, a quarter more than one party may be sent for long
    /// (64 KB/s, a sixteenth of limits.maximumQueuedTextBytes).
    private static let readInterval: UInt64 = 50_000_000
    private static let readBytes = 4_096
    /// Nanoseconds: 180 requests a second, as many as a connection may send without being closed for it.
    private static let keyInterval: UInt64 = 5_555_555
    /// Nanoseconds; the hub takes one that sends nothing for 25 s for lost.
    private static let keepAliveInterval: UInt64 = 5_000_000_000

    private let address: ListeningAddress
    private let count: Int
    private var pairs: [Pair] = []
    private var number = 0
    private var nextAttempt: UInt64 = 0
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) {
        (self.address, self.count) = (address, count)
    }

    func step(_ now: UInt64) {
        pairs.removeAll { !$0.isWhole }
        if pairs.count < count, now >= nextAttempt {
            if let pair = open() { pairs.append(pair) } else { nextAttempt = now + 100_000_000 }
        }
        for index in pairs.indices {
            connect(&pairs[index])
            key(&pairs[index], now)
            listen(&pairs[index], now)
        }
    }

    private func open() -> Pair? {
        guard let listener = AttackSocket.open(address, &tally), let caller = AttackSocket.open(address, &tally) else {
            return nil
        }
        number += 1
        listener.send(text: Request.open(account: "keypad\(number)"), &tally)
        caller.send(text: Request.open(account: "keys\(number)"), &tally)
        return Pair(number: number, caller: caller, listener: listener)
    }

    /// The listener must be there before it is called.
    private func connect(_ pair: inout Pair) {
        if !pair.hasStarted, pair.listener.answers > 0 {
            pair.hasStarted = true
            pair.caller.send(text: Request.start(call: pair.call, to: "keypad\(pair.number)"), &tally)
        }
        if !pair.hasAnswered, let call = pair.listener.ringingCall {
            pair.hasAnswered = true
            pair.listener.send(text: Request.answer(call: call), &tally)
        }
    }

    private func key(_ pair: inout Pair, _ now: UInt64) {
        if pair.caller.isInCall, now >= pair.nextKey {
            pair.nextKey = now + Self.keyInterval
            let digits = String(repeating: "5", count: 64)
            let members = #""callUUID":"\#(pair.call)","digits":"\#(digits)","dtmfType":"singleTone""#
            let action = #"{"type":"playDTMF",\#(members)}"#
            let request = #"{"jsonrpc":"2.0","id":8,"method":"transaction.request","params":{"actions":[\#(action)]}}"#
            pair.caller.send(text: request, &tally)
        }
        pair.caller.receive(&tally)
    }

    private func listen(_ pair: inout Pair, _ now: UInt64) {
        guard now >= pair.nextRead else { return }
        pair.nextRead = now + Self.readInterval
        if now >= pair.nextKeepAlive {
            pair.nextKeepAlive = now + Self.keepAliveInterval
            pair.listener.send(text: #"{"jsonrpc":"2.0","id":7,"method":"session.ping"}"#, &tally)
        }
        pair.listener.receive(&tally, atMost: Self.readBytes)
        if pair.listener.ending == "1008" { AttackTally.add("the other party closed with 1008", to: &tally.wrong) }
    }
}
