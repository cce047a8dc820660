import CommandLineTools
import HubAccountData
import HubClient

// Listing recent calls, and redialling; a redialled call is placed like any other (rows CK-71, CK-72).
extension Phone {
    /// Reports the recent calls, the newest first.
    func listRecents() {
        let entries = recents ?? []
        var table = TextTable("", "NAME", "CALL", "LENGTH", "BEGAN")
        for (index, entry) in entries.enumerated() {
            table.add("\(index + 1)", entry.party, entry.words, entry.length, RFC3339.text(of: entry.call.startedAt))
        }
        reporter.report(
            PhoneEvent(event: "recents", recents: entries.map(PhoneRecent.init)),
            entries.isEmpty ? "There are no calls to be listed." : String(table.text().dropLast())
        )
    }

    /// Calls the party of a listed recent call; fetches the list first if it is missing.
    func redial(_ number: Int) {
        guard let recents else { return fetchRecents(redial: number) }
        guard recents.indices.contains(number - 1) else {
            return reporter.failure("There is no call \(number); `recents` lists the last ones.")
        }
        let call = recents[number - 1].call
        guard !call.isUnknown else {
            return reporter.failure("Nobody knows who called; there is no number to call back.")
        }
        place(call.handle)
    }
}

/// The number of recent calls that are listed.
///
/// More: older ones can be called again; fewer: they fit on a screen.
let phoneRecents = 20

extension RecentEntry {
    /// The direction and the outcome for people, and how often.
    fileprivate var words: String {
        let words =
            switch call.outcome {
            case .answered: call.isOutgoing ? "called" : "has called"
            case .answeredElsewhere: "has called, answered on another device"
            case .missed: call.isSilenced ? "missed, silenced" : "missed"
            case .declined: call.isOutgoing ? "called, declined" : "has called, declined"
            case .cancelled: "called, cancelled"
            case .unanswered: "called, no answer"
            case .failed: "called, failed"
            }
        let times = count > 1 ? ", \(count) times" : ""
        return words + (call.hasVideo ? ", video" : "") + (call.provider.map { ", \($0)" } ?? "") + times
    }

    /// The name and handle of the other party; of a guest with a name of their own, the name of the link.
    fileprivate var party: String {
        if let link = call.invitationName { return "\(call.name) (link \(link))" }
        if call.isUnknown { return call.name == call.handle.value ? "unknown" : call.name }
        return call.name == call.handle.value ? call.handle.text : "\(call.name) (\(call.handle.text))"
    }

    /// The duration in whole seconds; empty if the call never connected.
    fileprivate var length: String { call.connectedAt == nil ? "" : "\(Int(seconds)) s" }

    /// The duration of the call from connect to end, in seconds; 0 if it never connected.
    fileprivate var seconds: Double {
        call.connectedAt.map { Double(call.endedAt.since($0).wholeNanoseconds) / 1e9 } ?? 0
    }
}

/// An entry of Recents as --json prints it.
struct PhoneRecent: Encodable {
    var id: String
    var handle: String
    var name: String
    var isOutgoing: Bool
    var outcome: String
    var silenced: Bool
    var hasVideo: Bool
    /// The name of the provider that the call was of; nil: it had none.
    var provider: String?
    /// True if nobody knows the other party; else nil.
    var unknown: Bool?
    var seen: Bool
    var startedAt: String
    /// The duration of the call from connect to end, in seconds.
    var seconds: Double
    /// The link that the caller used, and the number of its guests' calls in this entry.
    var link: String?
    var linkName: String?
    var count: Int?

    init(_ entry: RecentEntry) {
        id = entry.call.id.uuidText
        handle = entry.call.handle.text
        name = entry.call.name
        isOutgoing = entry.call.isOutgoing
        outcome = entry.call.outcome.rawValue
        silenced = entry.call.isSilenced
        hasVideo = entry.call.hasVideo
        provider = entry.call.provider
        unknown = entry.call.isUnknown ? true : nil
        seen = entry.isSeen
        startedAt = RFC3339.text(of: entry.call.startedAt)
        seconds = entry.seconds
        link = entry.call.invitation?.text
        linkName = entry.call.invitationName
        count = entry.call.invitation.map { _ in entry.count }
    }
}
