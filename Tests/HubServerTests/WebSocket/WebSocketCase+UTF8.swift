import HubTestSupport

/// Texts as UTF-8 (RFC 6455 sections 5.6 and 8.1).
extension WebSocketCase {
    static let utf8 = validTexts + invalidTexts + splitCharacters

    private static var validTexts: [WebSocketCase] {
        let scalars: [UInt32] = [
            0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFD, 0xFFFE,
            0xFFFF, 0x10000, 0x1FFFE, 0x3FFFF, 0x40000, 0xFFFFF, 0x100000, 0x10FFFF,
        ]
        var cases = scalars.compactMap(Unicode.Scalar.init).map { scalar in
            let text = "a\(Character(scalar))z"
            return WebSocketCase("8.1", "U+\(String(scalar.value, radix: 16))", Bytes.text(text), .texts(text))
        }
        let binary: [UInt8] = [0xC0, 0x80, 0xED, 0xA0, 0x80, 0xFF]
        cases.append(WebSocketCase("5.6", "invalid UTF-8 in a binary message", Bytes.frame(2, binary), .binary(binary)))
        return cases
    }

    private static var invalidTexts: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for (kind, sequences) in invalidSequences {
            for sequence in sequences {
                let name = kind + " " + sequence.map { String($0, radix: 16) }.joined(separator: " ")
                let padded = Bytes.letters(2) + sequence + (kind == "cut off:" ? [] : Bytes.letters(2))
                cases.append(WebSocketCase("8.1", name, Bytes.frame(1, padded), .fails(1007)))
            }
        }
        return cases
    }

    private static let invalidSequences: [(kind: String, sequences: [[UInt8]])] = [
        ("lone continuation bytes:", [[0x80], [0xBF], [0x80, 0xBF], [0x80, 0xBF, 0x80, 0xBF], Array(0x80...0xBF)]),
        (
            "begun and not continued:",
            [[0xC2], [0xDF], [0xE0], [0xE0, 0xA0], [0xEF, 0xBF], [0xF0], [0xF0, 0x90, 0x80]]
        ),
        (
            "cut off:",
            [[0xC2], [0xDF], [0xE1], [0xE0, 0xA0], [0xEF, 0xBF], [0xF1], [0xF1, 0x80], [0xF4, 0x8F, 0xBF]]
        ),
        ("impossible bytes:", [[0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF]]),
        (
            "overlong slash:",
            [[0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xF8, 0x80, 0x80, 0x80, 0xAF]]
        ),
        (
            "overlong:",
            [[0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x87, 0xBF, 0xBF, 0xBF]]
        ),
        ("overlong zero:", [[0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80]]),
        (
            "surrogate:",
            [
                [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xB0, 0x80], [0xED, 0xBF, 0xBF],
                [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
            ]
        ),
        (
            "beyond U+10FFFF:",
            [
                [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
                [0xFC, 0x84, 0x80, 0x80, 0x80],
            ]
        ),
    ]

    private static var splitCharacters: [WebSocketCase] {
        let text = "aκ€𝄞z"
        let bytes = Array(text.utf8)
        var cases: [WebSocketCase] = []
        for cut in 1..<bytes.count {
            let (first, second) = (Array(bytes[..<cut]), Array(bytes[cut...]))
            let fragments = Bytes.frame(1, first, isFinal: false) + Bytes.frame(0, second)
            let name = "characters of 1 to 4 bytes cut behind byte \(cut)"
            cases.append(WebSocketCase("8.1", name + " by a fragment", fragments, .text(bytes)))
            let segments = WebSocketCase.cut(Bytes.frame(1, bytes), at: 6 + cut)
            cases.append(WebSocketCase("8.1", name + " by a segment", segments, .text(bytes)))
            let pinged = Bytes.frame(1, first, isFinal: false) + Bytes.ping("\u{F8}") + Bytes.frame(0, second)
            let verdict = Verdict(messages: [.init(opcode: 1, payload: bytes)], pongs: [Array("\u{F8}".utf8)])
            cases.append(WebSocketCase("8.1", name + " by a fragment, a ping between", pinged, verdict))
        }
        let single = bytes.flatMap { Bytes.frame(0, [$0], isFinal: false) }
        let bytewise = Bytes.begin("") + single + Bytes.last("")
        cases.append(WebSocketCase("8.1", "characters of 1 to 4 bytes, a fragment a byte", bytewise, .text(bytes)))
        let surrogate: [UInt8] = [0x61, 0xCE, 0xBA, 0xED, 0xA0, 0x80, 0x7A]
        for cut in 1..<surrogate.count {
            let fragments =
                Bytes.frame(1, Array(surrogate[..<cut]), isFinal: false) + Bytes.frame(0, Array(surrogate[cut...]))
            let name = "a surrogate in a text cut behind byte \(cut) by a fragment"
            cases.append(WebSocketCase("8.1", name, fragments, .fails(1007)))
        }
        for count in 1...3 {
            let begun = Bytes.frame(1, Array([0xF0, 0x9D, 0x84].prefix(count)), isFinal: false)
            let name = "a character of 4 bytes that ends behind byte \(count)"
            cases += [
                WebSocketCase("8.1", name + ", in an empty last fragment", begun + Bytes.last(""), .fails(1007)),
                WebSocketCase("8.1", name + ", in a last fragment of a letter", begun + Bytes.last("a"), .fails(1007)),
                WebSocketCase(
                    "8.1",
                    name + ", in two empty fragments",
                    begun + Bytes.middle("") + Bytes.last(""),
                    .fails(1007)
                ),
            ]
        }
        return cases
    }
}
