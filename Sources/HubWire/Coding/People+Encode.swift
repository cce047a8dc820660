public import HubAccountData
import HubEngine

// Encoding of the messages about people (docs/protocol.md, People and presence).

extension PeopleRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .list(let search, let page):
            params.optional("search", search) { $0.value($1) }
            page.writeMembers(to: &params)
        case .subscribe(let handles): params.array("handles", handles) { $0.value($1) }
        case .photo(let handle):
            params.key("handle")
            params.value(handle)
        case .setAway(let isAway): params.member("isAway", isAway)
        }
    }
}

extension Person {
    func writeMembers(to writer: inout JSONWriter) {
        writer.key("handle")
        writer.value(handle)
        writer.optional("name", name) { $0.value($1) }
        writer.optional("department", department) { $0.value($1) }
        writer.member("presence", presence.keyword)
        if case .doNotDisturb(let until) = presence { writer.optional("until", until) { $0.value($1) } }
        writer.optional("photoHash", photoHash) { $0.value($1) }
    }
}

extension Presence {
    /// The name of the presence in messages.
    public var keyword: String {
        switch self {
        case .free: "free"
        case .onCall: "onCall"
        case .away: "away"
        case .doNotDisturb: "doNotDisturb"
        case .offline: "offline"
        case .unknown: "unknown"
        case .other(let keyword): keyword
        }
    }
}
