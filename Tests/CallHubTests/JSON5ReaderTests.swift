import Foundation
import HubSimulation
import Testing

@testable import HubConfiguration

/// Tests of the values read and of the places of errors, compared with Foundation's decoder.
struct JSON5ReaderTests {
    private func fault(_ text: String) -> String? {
        do {
            _ = try JSON5Reader.read(Array(text.utf8))
            return nil
        } catch {
            return "\(error.line):\(error.column): \(error.message)"
        }
    }

    @Test(arguments: [
        ("", "1:1: expected \"{\" and the settings, found the end of the file."),
        ("// only words\n", "2:1: expected \"{\" and the settings, found the end of the file."),
        ("listen: {}", "1:1: expected \"{\" and the settings (a text stands in quotes), found \"listen\"."),
        ("{\n  a: 1\n  b: 2\n}", "3:3: expected \",\" or \"}\" after the value of \"a\", found \"b\"."),
        ("{a 1}", "1:4: expected \":\" after the key \"a\", found \"1\"."),
        ("{a: }", "1:5: expected a value for \"a\", found \"}\"."),
        ("{a: open}", "1:5: expected a value for \"a\" (a text stands in quotes), found \"open\"."),
        ("{a: 1", "1:6: expected \",\" or \"}\" after the value of \"a\", found the end of the file."),
        ("{a: [1 2]}", "1:8: expected \",\" or \"]\" after a value of the list, found \"2\"."),
        ("{,}", "1:2: expected a key or \"}\", found \",\"."),
        ("{1: 2}", "1:2: expected a key or \"}\", found \"1\"."),
        ("{ä: 2}", "1:2: expected a key or \"}\", found the character U+E4."),
        ("{a: 'ä', 😀: 2}", "1:10: expected a key or \"}\", found the character U+1F600."),
        ("{a: 1}}", "1:7: expected the end of the file, found \"}\"."),
        ("{a: 'x}\n", "1:5: the text that begins here has no quote at its end."),
        ("{a: 'x", "1:5: the text that begins here has no quote at its end."),
        ("{a: 1 /* x", "1:7: the comment that begins here has no \"*/\" at its end."),
        ("{a: /*/ 1}", "1:5: the comment that begins here has no \"*/\" at its end."),
        ("{a: 10s}", "1:5: \"10s\" is not a number."),
        ("{a: 010}", "1:5: \"010\" is not a number."),
        ("{a: 1.2.3}", "1:5: \"1.2.3\" is not a number."),
        ("{a: -}", "1:5: \"-\" is not a number."),
        ("{a: 1e999}", "1:5: \"1e999\" is not a number."),
        ("{a: 'C:\\dir'}", "1:8: this escape is unknown; a backslash itself is written \"\\\\\"."),
        ("{a: '\\u12'}", "1:6: this escape needs 4 hexadecimal digits that are not all 0."),
        ("{a: '\\ud800'}", "1:6: this is half of a surrogate pair; write both or the character itself."),
        ("{a: 1, b: 2, 'a': 3}", "1:14: \"a\" is set for the second time here; once is right."),
    ])
    func `a fault is reported with its position and what was expected`(text: String, message: String) {
        #expect(fault(text) == message)
    }

    @Test func `invalid UTF-8 is reported with its position`() {
        for byte: UInt8 in [0xFF, 0] {
            #expect(throws: JSON5Fault(line: 2, column: 6, message: "the file is not UTF-8 text.")) {
                try JSON5Reader.read(Array("{\na: 'x".utf8) + [byte] + Array("'}".utf8))
            }
        }
    }

    @Test func `nesting depth is limited`() {
        let deepest = JSON5Reader.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(fault(nested(deepest)) == nil)
        #expect(fault(nested(deepest + 1)) == "1:\(deepest + 1): this is nested deeper than \(deepest) levels.")
        #expect(fault(String(repeating: "[", count: 1_000_000)) != nil)
    }

    @Test func `every JSON5 syntax form is parsed`() throws {
        func read(_ text: String) throws -> JSON5Value { try JSON5Reader.read(Array(text.utf8)) }
        #expect(try read("{}") == .object([:]))
        #expect(try read("\u{FEFF}[]") == .array([]))
        #expect(try read(" /* a **/ { // b\r\n a:1,\n}") == .object(["a": .number(1)]))
        #expect(
            try read("{'a': [1, true, false,], \"b\": {}, $c_1: null}")
                == .object(["a": .array([.number(1), .bool(true), .bool(false)]), "b": .object([:]), "$c_1": .null])
        )
        let numbers = "[0, -0, +1, .5, 5., 5.e3, -0.0e-7, 1E+2, 0xFf, -0x10, Infinity, -Infinity, 0e5, 1e-999]"
        let values = [0, 0, 1, 0.5, 5, 5000, 0, 100, 255, -16, .infinity, -.infinity, 0, 0]
        #expect(try read(numbers) == .array(values.map { .number($0) }))
        #expect(try read("NaN").summary == "nan")
        #expect(
            try read(#"['\'\"\\\/\b\f\n\r\t\x41\u00e9\ud83d\uDE00', "'", 'ä😀']"#)
                == .array([.string("'\"\\/\u{8}\u{C}\n\r\tAé😀"), .string("'"), .string("ä😀")])
        )
    }

    /// Compares both readers on random edits of a real configuration and of a text full of corner cases.
    ///
    /// The decoder reads an equal value from any text that our reader accepts, so each of its errors has a place.
    @Test func `JSON is parsed as Foundation parses it`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let corners = #"{a: [0x1F, .5e+3, -Infinity, 'x\u00e9\ud83d\ude00\x41'], /* c **/ "b": {c: null,}, _$: true}"#
        let file = try Array(Data(contentsOf: defaultConfiguration).prefix(700)) + Array("}".utf8)
        let alphabet = Array("{}[]:,'\"\\/*+-.0x1eEuNIat$ \n\r\t\u{0}\u{B}\u{C}é\u{A0}\u{2028}\u{FEFF}".utf8)
        var faults = 0
        for turn in 0..<3000 {
            var text = turn % 3 == 0 ? file : Array(corners.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                let end = min(text.count, place + Int.random(in: 0...3, using: &random))
                let count = Int.random(in: 0...2, using: &random)
                text.replaceSubrange(
                    place..<end,
                    with: (0..<count).compactMap { _ in alphabet.randomElement(using: &random) }
                )
            }
            guard let value = try? JSON5Reader.read(text) else {
                faults += 1
                continue
            }
            // The decoder rejects 0e1, and any number that is too small with the same error.
            let words = String(decoding: text, as: UTF8.self)
            if words.contains(/0\.?[eE]/) { continue }
            #expect(try FoundationValue.decode(text) == value, "seed \(seed): \(words)")
        }
        // A useful share of the edits is invalid: not all, and not none.
        #expect((300..<2900).contains(faults), "seed \(seed): \(faults)")
    }
}

/// The same value, read by JSONDecoder.
private struct FoundationValue: Decodable {
    let value: JSON5Value

    static func decode(_ text: [UInt8]) throws -> JSON5Value {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try decoder.decode(Self.self, from: Data(text)).value
    }

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            value = .null
        } else if let members = try? single.decode([String: Self].self) {
            value = .object(members.mapValues(\.value))
        } else if let values = try? single.decode([Self].self) {
            value = .array(values.map(\.value))
        } else if let flag = try? single.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? single.decode(Double.self) {
            value = .number(number)
        } else {
            value = .string(try single.decode(String.self))
        }
    }
}
