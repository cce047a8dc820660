import CommandLineTools
import HubAccountData
import HubClient
import HubWire

// The people of the house and their presence, and the user's own.
extension Phone {
    /// Requests the people, all or those that a search finds, and lists them.
    func fetchPeople(_ search: String?) {
        let post = post
        ask { client in
            let (people, next) = try await client.people(search: search, limit: phonePeople)
            post.yield(.people(people, isCut: next != nil))
        }
    }

    /// Reports the people, sorted by name.
    func list(_ people: [Person], isCut: Bool) {
        var lines = people.map(\.sentence)
        if lines.isEmpty { lines = ["Nobody is found."] }
        if isCut { lines.append("There are more; `people SEARCH` finds them by the beginnings of their names.") }
        let event = PhoneEvent(event: "people", people: people.map(PhonePerson.init))
        reporter.report(event, lines.joined(separator: "\n"))
    }

    /// Tells the others that the user is away, or back.
    func setAway(_ isAway: Bool) {
        let reporter = reporter
        ask { client in try await client.setAway(isAway) }
        reporter.report(
            PhoneEvent(event: isAway ? "away" : "back"),
            isAway ? "The others see that you are away, unless another device of yours is in use." : "You are back.",
            emphasis: .faint
        )
    }
}

/// The maximum number of people that are listed.
///
/// More: fewer searches; fewer: they fit on a screen.
let phonePeople = 50

extension Person {
    /// The person as a line: the name, the handle to call, the department and the presence.
    fileprivate var sentence: String {
        let called = handle.type == .generic ? handle.value : handle.text
        let who = [name == nil || name == handle.value ? nil : name, called].compactMap(\.self)
        let parts = [who.count > 1 ? "\(who[0]) (\(who[1]))" : called, department, presence.words]
        return visible(parts.compactMap(\.self).joined(separator: "  "))
    }
}

extension Presence {
    /// The presence in words.
    fileprivate var words: String {
        switch self {
        case .free: "free"
        case .onCall: "on a call"
        case .away: "away"
        case .doNotDisturb(nil): "do not disturb"
        case .doNotDisturb(let until?): "do not disturb until \(RFC3339.text(of: until))"
        case .offline: "offline"
        case .unknown: "-"
        case .other(let keyword): keyword
        }
    }
}

/// A person as --json prints them.
struct PhonePerson: Encodable {
    var handle: String
    var name: String?
    var department: String?
    var presence: String
    var until: String?

    init(_ person: Person) {
        handle = person.handle.text
        name = person.name
        department = person.department
        presence = person.presence.keyword
        if case .doNotDisturb(let end?) = person.presence { until = RFC3339.text(of: end) }
    }
}
