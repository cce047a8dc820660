/// The counts of an attack and of the hub's reactions to it.
struct AttackTally: Codable {
    /// Connections that the attacker tried to open.
    var attempts = 0
    /// WebSocket connections that were opened.
    var opened = 0
    /// Refused connections, by HTTP status or as "no answer" and "no connection".
    var refused: [String: Int] = [:]
    /// Messages, frames or bytes that the sockets took.
    var sent = 0
    /// Text messages and pongs received.
    var answers = 0
    /// Errors among them, by code.
    var errors: [String: Int] = [:]
    /// Ended connections, by close code, or by the socket's state.
    var closes: [String: Int] = [:]
    /// The attacker's CPU time.
    var cpuNanoseconds: UInt64 = 0

    /// Adds 1 to a key's count.
    static func add(_ key: String, to counts: inout [String: Int]) {
        counts[key, default: 0] += 1
    }

    /// The hub's reactions as a line of text.
    var summary: String {
        func list(_ name: String, _ counts: [String: Int]) -> [String] {
            counts.isEmpty
                ? []
                : [
                    name + " "
                        + counts.sorted { $0.value > $1.value }.map { "\($0.key) x \($0.value)" }.joined(
                            separator: ", "
                        )
                ]
        }
        let parts =
            ["\(opened) of \(attempts) connections"] + list("refused:", refused) + list("errors:", errors)
            + list("closed:", closes)
        return parts.joined(separator: "; ")
    }
}
