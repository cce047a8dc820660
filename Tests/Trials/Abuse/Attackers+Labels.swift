import BenchmarkClient
import BenchmarkSupport

/// An attacker that loads call directories of the longest labels, one after the other, as fast as possible.
final class LabelFlood: Attacker {
    private let sockets: AttackSockets
    /// The batch that each connection sends next.
    private var turns: [ObjectIdentifier: Int] = [:]
    private(set) var tally = AttackTally()

    init(_ address: ListeningAddress, count: Int) { sockets = AttackSockets(address, count: count, name: "labels") }

    /// A load of 21 batches of 210 labels, each batch nearly as long as a message may be: 1.2 MB in the hub.
    private static let batches: [[UInt8]] = (1...21).map { batch in
        let entries = (0..<210).map { index in
            let number = 49_300_000_000 + 1_000 * batch + index
            let label = "\(number)" + String(repeating: "n", count: 245)
            return #"{"number":\#(number),"label":"\#(label)"}"#
        }
        let place = #""extension":"labels","incremental":false,"blocking":[],"batch":\#(batch),"final":\#(batch == 21)"#
        let members = place + #","identification":[\#(entries.joined(separator: ","))]"#
        let request = #"{"jsonrpc":"2.0","id":\#(batch),"method":"directory.load","params":{\#(members)}}"#
        return ClientFrame.encode(.text, request.utf8)
    }

    func step(_ now: UInt64) {
        sockets.fill(now, &tally)
        for socket in sockets.sockets {
            let turn = turns[ObjectIdentifier(socket)] ?? 0
            if socket.send(Self.batches[turn % Self.batches.count], &tally) {
                turns[ObjectIdentifier(socket)] = turn + 1
            }
            socket.receive(&tally)
        }
        if turns.count > 1_000 { turns = [:] }
    }
}
