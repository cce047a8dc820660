import HubWire
import Testing

@Suite struct AccountNameTests {
    @Test(arguments: [
        "alice", "Alice Liddell", "a", "김철수", "Žofie Nováková", "e\u{301}ric", "محمد", "ตุ๊กตา", "x@example.org", "☎",
        "+49 30 1234", String(repeating: "ä", count: 64),
    ])
    func `a name without invisible characters is a valid account name`(name: String) {
        #expect(name.isAccountName, "\(name)")
    }

    @Test(arguments: [
        "", " ", " bob", "bob ", "bob  b", "bob\u{A0}b", "bob\u{2003}b", "bob\u{3000}b", "bob\n", "bob\u{7F}",
        "bob\u{200B}", "bob\u{200C}", "bob\u{200D}", "bob\u{FE0F}", "bob\u{E0101}", "bob\u{2060}", "bob\u{FEFF}",
        "\u{202E}bob", "bob\u{2066}", "bob\u{61C}", "b\u{AD}ob", "bob\u{34F}", "bob\u{3164}", "bob\u{2028}",
        "\u{301}bob", "bob \u{301}", "bo\u{300}\u{301}\u{302}\u{303}\u{304}b", String(repeating: "b", count: 129),
    ])
    func `a name with hidden characters, or easily confused with another, is refused`(name: String) {
        #expect(!name.isAccountName, "\(name.unicodeScalars.map(\.value))")
    }
}
