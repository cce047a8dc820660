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
    /// Answers and endings that the hub must not give, by their kind.
    var wrong: [String: Int] = [:]
    /// Sign-ins of others, meanwhile and at an address of their own, that were granted.
    var friendSignIns = 0
    /// Those that were not, by the reason.
    var friendRefusals: [String: Int] = [:]
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
        let friends = friendSignIns > 0 ? ["others' sign-ins: \(friendSignIns)"] : []
        let parts =
            ["\(opened) of \(attempts) connections"] + list("refused:", refused) + list("errors:", errors)
            + list("closed:", closes) + list("WRONG:", wrong) + friends + list("OTHERS REFUSED:", friendRefusals)
        return parts.joined(separator: "; ")
    }

    /// Both together.
    func merging(_ other: AttackTally) -> AttackTally {
        var all = self
        all.attempts += other.attempts
        all.opened += other.opened
        all.refused.merge(other.refused, uniquingKeysWith: +)
        all.sent += other.sent
        all.answers += other.answers
        all.errors.merge(other.errors, uniquingKeysWith: +)
        all.closes.merge(other.closes, uniquingKeysWith: +)
        all.wrong.merge(other.wrong, uniquingKeysWith: +)
        all.friendSignIns += other.friendSignIns
        all.friendRefusals.merge(other.friendRefusals, uniquingKeysWith: +)
        return all
    }
}
