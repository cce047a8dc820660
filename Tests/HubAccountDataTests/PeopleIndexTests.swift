import HubAccountData
import HubEngine
import Testing

/// The search for people: by the beginnings of words, without case and marks, sorted by name.
final class PeopleIndexTests {
    private var index = PeopleIndex()

    private func add(
        _ account: String,
        named name: String,
        in department: String? = nil,
        handles: [Handle]? = nil,
        isListed: Bool = true
    ) {
        let entry = PeopleIndex.Entry(
            account: account,
            handles: handles ?? [.generic(account)],
            name: name,
            department: department,
            isListed: isListed
        )
        #expect(set(entry, of: account))
    }

    private func set(_ entry: PeopleIndex.Entry?, of account: String) -> Bool { index.set(entry, of: account) }

    private func found(_ search: String) -> [String] { page(search).names }

    private func page(
        _ search: String = "",
        after: PeoplePosition? = nil,
        limit: Int = 500,
        bytes: Int = .max
    ) -> (names: [String], next: PeoplePosition?) {
        let (entries, next) = index.page(search, after: after, limit: limit, maximumBytes: bytes) { _ in true }
        return (entries.map(\.account), next)
    }

    private static let searches: [(String, [String])] = [
        ("", ["anna", "juergen", "zoe", "park"]), ("jürgen", ["juergen"]), ("JURGEN", ["juergen"]),
        ("ju\u{308}r", ["juergen"]), ("hauptstrasse", ["anna"]), ("HauptStraße", ["anna"]), ("müll j", ["juergen"]),
        ("sale", ["anna", "zoe"]), ("sales zo", ["zoe"]), ("ales", []), ("juergen@ex", ["juergen"]),
        ("example", ["juergen"]), ("49301234", ["zoe"]), ("+49 30", ["zoe"]), ("030", []), ("김", ["park"]),
        ("  ", ["anna", "juergen", "zoe", "park"]), ("--", ["anna", "juergen", "zoe", "park"]), ("ž", ["zoe"]),
    ]

    @Test(arguments: searches.indices)
    func `each word of a search is the beginning of a word of name, handle or department`(_ number: Int) {
        add("zoe", named: "Žoe Zander", in: "Sales", handles: [Handle(type: .phoneNumber, value: "+49 30 1234")])
        add("park", named: "김박", in: "서울")
        add("anna", named: "Anna Hauptstraße", in: "Presales and Sales")
        add("juergen", named: "Jürgen Müller", handles: [Handle(type: .emailAddress, value: "Juergen@example.org")])
        let (search, expected) = Self.searches[number]
        #expect(found(search) == expected, "\(search)")
    }

    @Test func `a page continues behind its last entry, even if that is gone`() throws {
        for name in ["d", "a", "c", "b", "e"] { add(name, named: name.uppercased()) }
        let first = page(limit: 2)
        #expect(first.names == ["a", "b"])
        #expect(set(nil, of: "b"))
        let second = page(after: first.next, limit: 2)
        #expect(second.names == ["c", "d"])
        let last = page(after: second.next, limit: 2)
        #expect(last.names == ["e"])
        #expect(last.next == nil)
        #expect(page(limit: 4).next == nil, "four are all")
    }

    @Test func `a page has at least one entry, and no more bytes than it may`() {
        for name in ["a", "b", "c"] { add(name, named: String(repeating: name, count: 200)) }
        let first = page(bytes: 1)
        #expect(first.names == ["a"])
        #expect(page(after: first.next, bytes: 700).names == ["b", "c"])
    }

    @Test func `an account is found by its present name alone, and not while it is unlisted`() {
        add("bob", named: "Bob")
        add("bob", named: "Robert")
        #expect(found("bob") == ["bob"], "the handle")
        #expect(found("rob") == ["bob"])
        add("bob", named: "Robert", isListed: false)
        #expect(found("") == [])
        #expect(index.listedCount == 0)
        #expect(index["bob"]?.name == "Robert")
    }

    @Test func `a handle and a name that change hands leave one entry each`() {
        add("old", named: "Desk", handles: [.generic("desk")])
        add("new", named: "Desk", handles: [.generic("desk")])
        #expect(set(nil, of: "old"))
        #expect(found("desk") == ["new"])
        #expect(set(nil, of: "new"))
        #expect(found("desk") == [])
    }

    @Test func `the same entry again changes nothing`() {
        add("bob", named: "Bob")
        let entry = PeopleIndex.Entry(account: "bob", handles: [.generic("bob")], name: "Bob")
        #expect(!set(entry, of: "bob"))
        #expect(!set(nil, of: "nobody"))
    }
}
