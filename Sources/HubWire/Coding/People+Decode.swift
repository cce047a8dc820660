import HubAccountData
import HubEngine

// Decoding of the messages about people (docs/protocol.md, People and presence).

extension ClientMethod {
    func readPeopleRequest(_ params: JSONMembers) throws(JSONMemberError) -> PeopleRequest {
        switch self {
        case .peopleSubscribe: .subscribe(try params.watchedHandles("handles"))
        case .peoplePhoto: .photo(try params.handle("handle"))
        case .presenceSet: .setAway(try params.flag("isAway"))
        default: .list(search: try params.searchText("search"), try params.page())
        }
    }
}

struct DecodedPerson: JSONDecodable {
    let person: Person

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        person = Person(
            handle: try members.handle("handle"),
            name: try members.optionalText("name"),
            department: try members.optionalText("department"),
            presence: Presence(keyword: try members.text("presence"), until: try members.optionalDate("until")),
            photoHash: try members.optionalText("photoHash")
        )
    }
}

extension JSONMembers {
    func people(_ name: String) throws(JSONMemberError) -> [Person] {
        try required(name, as: [DecodedPerson].self, "be an array of people").map(\.person)
    }

    fileprivate func watchedHandles(_ name: String) throws(JSONMemberError) -> [Handle] {
        let requirement = "be an array of at most \(PeopleRequest.maximumHandles) handles, {\"type\", \"value\"}"
        let handles = try required(name, as: [DecodedStoredHandle].self, requirement).map(\.handle)
        guard handles.count <= PeopleRequest.maximumHandles else { throw fault(name, .invalidValue, requirement) }
        return handles
    }

    fileprivate func searchText(_ name: String) throws(JSONMemberError) -> String? {
        try optional(name, "be a string of at most \(maximumNameBytes) bytes") { text in
            text.utf8.count <= maximumNameBytes ? text : nil
        }
    }
}

extension Presence {
    /// Decodes a presence; one that is not known is kept by its name, as a newer hub may have more.
    init(keyword: String, until: Instant?) {
        self =
            switch keyword {
            case Presence.free.keyword: .free
            case Presence.onCall.keyword: .onCall
            case Presence.away.keyword: .away
            case Presence.doNotDisturb(until: nil).keyword: .doNotDisturb(until: until)
            case Presence.offline.keyword: .offline
            case Presence.unknown.keyword: .unknown
            default: .other(keyword)
            }
    }
}
