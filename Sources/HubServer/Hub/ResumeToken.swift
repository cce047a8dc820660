import HubEngine
import HubWire

/// The token by which a client resumes its session: the ID of this run of the hub, and 244 random bits.
///
/// The ID identifies tokens of an earlier run: such a session has not expired, it is gone with all others (row CK-83).
struct ResumeToken {
    let token: String

    /// Makes a new token for a run.
    init(run: String, by random: inout RandomSource) {
        let (first, second): (Identifier<ResumeToken>, Identifier<ResumeToken>) = (
            random.identifier(), random.identifier()
        )
        token = run + first.uuidText + second.uuidText
    }

    /// Indicates that a token was issued by another run of a hub.
    static func isOfAnotherRun(_ token: String, than run: String) -> Bool {
        token.utf8.count == 3 * run.utf8.count && !token.hasPrefix(run)
    }
}
