import HubEngine
import HubWire

/// What a client shows to take its session up: the name of this run of the hub, and 244 bits that nobody guesses.
///
/// By the name a token of an earlier run is known: its session is not over, it is gone with everything else (row CK-83).
struct ResumeSecret {
    let token: String

    /// A fresh one of a run.
    init(run: String, by chance: inout HubChance) {
        let (first, second): (Identifier<ResumeSecret>, Identifier<ResumeSecret>) = (
            chance.identifier(), chance.identifier()
        )
        token = run + first.uuidText + second.uuidText
    }

    /// Whether a token was given out by another run of a hub.
    static func isOfAnotherRun(_ token: String, than run: String) -> Bool {
        token.utf8.count == 3 * run.utf8.count && !token.hasPrefix(run)
    }
}
