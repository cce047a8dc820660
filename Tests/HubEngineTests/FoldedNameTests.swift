import Foundation
import HubEngine
import Testing

/// The comparison of names and handles without case and normal form.
struct FoldedNameTests {
    /// All characters but those of the large scripts without case.
    private static let scalars = [0..<0x3400, 0xA000..<0xAC00, 0xF900..<0x20000].joined()
        .compactMap { Unicode.Scalar(UInt32($0)) }.filter { $0.properties.generalCategory != .unassigned }

    @Test(arguments: [
        ("carol", "Carol"), ("carol", "CAROL"), ("jürgen", "Ju\u{308}rgen"), ("jürgen", "JU\u{308}RGEN"),
        ("straße", "STRASSE"), ("straße", "STRA\u{1E9E}E"), ("οδυσσεύς", "ΟΔΥΣΣΕΎΣ"), ("ﬁnn", "FINN"), ("ĳs", "ĲS"),
        ("anna-2@example.org", "Anna-2@Example.ORG"), ("\u{212A}arl", "karl"), ("анна", "АННА"), ("", ""),
        ("i\u{307}stanbul", "\u{130}stanbul"), ("ŉ", "ʼN"), ("ᾳ\u{301}", "\u{391}\u{301}\u{345}"), ("ꭰ", "Ꭰ"),
    ])
    func `two spellings of one name are equal`(name: String, other: String) {
        #expect(FoldedName(name) == FoldedName(other))
        #expect(FoldedName(name).hashValue == FoldedName(other).hashValue)
        #expect(Handle.generic(name).key == Handle.generic(other).key)
        #expect(Handle(type: .emailAddress, value: name).key == Handle(type: .emailAddress, value: other).key)
    }

    @Test(arguments: [
        ("carol", "karol"), ("jürgen", "jurgen"), ("ıvan", "ivan"), ("ıvan", "IVAN"), ("аlice", "alice"),
        ("alice", "alice "), ("Å", "A"), ("a\u{0}", "a"), ("ａlice", "alice"),
    ])
    func `two names with other letters or marks are not equal`(name: String, other: String) {
        #expect(FoldedName(name) != FoldedName(other))
    }

    @Test func `handles of other types are not equal, and a number has no case`() {
        #expect(Handle.generic("a@b.c").key != Handle(type: .emailAddress, value: "A@B.C").key)
        #expect(Handle(type: .phoneNumber, value: "+49 30 1").key == Handle(type: .phoneNumber, value: "49301").key)
        #expect(Handle(type: .phoneNumber, value: "Bob").key != Handle(type: .phoneNumber, value: "bob").key)
    }

    @Test func `a folded name is folded, whatever the character and its normal form`() {
        #expect(Self.scalars.count > 20_000)
        // Foundation composes characters beyond U+FFFF wrongly, as if they had 16 bits; none of these is a mark below.
        for scalar in Self.scalars where scalar.value <= 0xFFFF {
            for name in [String(scalar), "a\(scalar)\u{345}\u{301}", "\u{3B1}\u{345}\(scalar)"] {
                let folded = FoldedName(name)
                let again = FoldedName(folded.text)
                let composed = FoldedName(name.precomposedStringWithCanonicalMapping)
                let decomposed = FoldedName(name.decomposedStringWithCanonicalMapping)
                guard again != folded || composed != folded || decomposed != folded else { continue }
                Issue.record("U+\(String(scalar.value, radix: 16)) in \(name)")
            }
        }
    }

    @Test func `the capital of a character folds as the character, but for the dotless i`() {
        var others: [String] = []
        for scalar in Self.scalars {
            let name = FoldedName(String(scalar))
            let properties = scalar.properties
            for mapping in [properties.uppercaseMapping, properties.lowercaseMapping, properties.titlecaseMapping] {
                if FoldedName(mapping) != name { others.append(String(scalar)) }
            }
        }
        #expect(Set(others) == ["ı"])
    }

    @Test(arguments: ["echo", "Echo", "ECHO"]) func `a built-in party has its name in any case`(name: String) {
        #expect(BuiltInParty(named: name) == .echo)
        #expect(BuiltInParty(.generic(name)) == .echo)
        #expect(BuiltInParty(Handle(type: .emailAddress, value: name)) == nil)
        #expect(BuiltInParty(named: name + "s") == nil)
    }
}
