/// What an attacker did, and what he got for it.
struct AttackTally: Codable {
    /// Connections that he tried to open.
    var attempts = 0
    /// WebSocket connections that he was given.
    var opened = 0
    /// What he was told instead, or not even told.
    var refused: [String: Int] = [:]
    /// Messages, frames or bytes that the sockets took.
    var sent = 0
    /// Text messages and pongs that came.
    var answers = 0
    /// Errors among them, by code.
    var errors: [String: Int] = [:]
    /// How connections ended, by close code, or as the socket said it.
    var closes: [String: Int] = [:]
    /// The attacker's CPU time.
    var cpuNanoseconds: UInt64 = 0

    /// Counts one more.
    static func add(_ key: String, to counts: inout [String: Int]) {
        counts[key, default: 0] += 1
    }

    /// All that he got, in a few words.
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
