import Foundation
import HubSimulation
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import DirectoryReading

/// Tests of reading the files that spreadsheets and address books write.
struct DirectoryReaderTests {
    /// Reads a file and returns a text for each entry: `12:number=name`, `12:number blocked`, `12:! what is wrong`.
    private func read(
        _ bytes: [UInt8],
        as name: String,
        _ numbers: NumberReading = NumberReading()
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        var reader = try DirectoryFile.open(path, numbers)
        var lines: [String] = []
        while let next = try reader.next() {
            switch next {
            case .success(.label(let number, let label)): lines.append("\(number)=\(label)")
            case .success(.block(let number)): lines.append("\(number) blocked")
            case .failure(let bad): lines.append("\(bad.line)! \(bad.fault)")
            }
        }
        return lines
    }

    private func csv(_ text: String) throws -> [String] { try read(Array(text.utf8), as: "a.csv") }
    private func vcf(_ text: String) throws -> [String] { try read(Array(text.utf8), as: "a.vcf") }

    private static let notANumber = "is no number; it must be country code and digits, such as +49 30 12345"

    private static let noCountry =
        "has no country code; write it like +49 30 12345, or say --country-code 49 where 49 is its country's"

    @Test(arguments: [
        ("+49 (30) 123-45,Alice\n", ["493012345=Alice"]),
        ("1234,block\n", ["1234 blocked"]),
        ("1234, BLOCK \r\n1111,Alice\r\n", ["1234 blocked", "1111=Alice"]),
        ("1234,\"block\"", ["1234=block"]),
        ("number,label\n1,A\n", ["1=A"]),
        ("Telefon,Name\n1,A\n", ["1=A"]),
        ("\u{FEFF}number,label\n1,A\n", ["1=A"]),
        ("\u{FEFF}1,A\n", ["1=A"]),
        ("\"1\",\"Meier, Müller & \"\"Co\"\"\"\n", ["1=Meier, Müller & \"Co\""]),
        ("1,\"Acme\nBerlin\"\n2,B\n", ["1=Acme Berlin", "2=B"]),
        ("\n   \n1,A\n\n2,B", ["1=A", "2=B"]),
        ("9223372036854775806,A\n", ["9223372036854775806=A"]),
        ("1;A\n2;B, C\n3;block\n", ["1=A", "2=B, C", "3 blocked"]),
        ("Nummer;Name\n\"1\";\"A; B\"\n", ["1=A; B"]),
        ("\"1,5\";A\n2;B\n", ["1! \"1,5\" \(notANumber)", "2=B"]),
        ("1,A; B\n", ["1=A; B"]),
        ("number\tname\n1\tA\n", ["1=A"]),
        ("", []),
        ("number,label\n", []),
    ])
    func `lines of a CSV file are parsed`(text: String, lines: [String]) throws {
        #expect(try csv(text) == lines)
    }

    @Test(arguments: [true, false], [true, false])
    func `a UTF-16 file is parsed like a UTF-8 file`(isBigEndian: Bool, hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + "Nummer\tName\r\n1\tZoë 👩‍🚀\r\n2\tB"
        let bytes = text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        #expect(try read(bytes, as: "a.csv") == ["1=Zoë 👩‍🚀", "2=B"])
        // A long one is read in pieces, which may end within a character.
        let names = (1...40_000).map { "\($0),\($0) 🚀" }
        let many = ("\u{FEFF}" + names.joined(separator: "\n")).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
        #expect(try read(many, as: "a.csv") == names.map { $0.replacing(",", with: "=") })
    }

    @Test(arguments: [
        ("1,A\nbob,B\n2,C\n", ["1=A", "2! \"bob\" \(notANumber)", "2=C"]),
        ("1,A\n+49,\"B\n3,C\n", ["1=A", "2! a field begins with \" and does not end; it must end with \" too", "3=C"]),
        ("1,\"A\" x\n", ["1! there is something behind the closing \"; a \" within a field is written \"\""]),
        ("1\n", ["1! it has one field; it must be number,name or number,block"]),
        ("1,A\n2;B\n", ["1=A", "2! it has one field; it must be number,name or number,block"]),
        ("1,A,B\n", ["1! it has 3 fields; it must be number,name or number,block"]),
        ("1,\n", ["1! the name is empty; it must have at least one letter"]),
        ("1,A\u{7}\n", ["1! the name \"A?\" has a control or invisible character; it must have none"]),
        ("1,A\u{202E}B\n", ["1! the name \"A?B\" has a control or invisible character; it must have none"]),
        ("030123,A\n", ["1! \"030123\" \(noCountry)"]),
        ("0,A\n", ["1! \"0\" \(notANumber)"]),
        ("9223372036854775807,A\n", ["1! \"9223372036854775807\" \(notANumber)"]),
        ("92233720368547758060,A\n", ["1! \"92233720368547758060\" \(notANumber)"]),
        (",A\n", ["1! \"\" \(notANumber)"]),
        ("1,A\nname,label\n", ["1=A", "2! \"name\" \(notANumber)"]),
        (
            "1," + String(repeating: "ä", count: 129) + "\n",
            ["1! the name has 258 bytes; it must have 256 at most"]
        ),
    ])
    func `a faulty line is reported with its number and fault`(text: String, lines: [String]) throws {
        #expect(try csv(text) == lines)
    }

    @Test func `a file that is not UTF-8 is reported as such, for each line`() throws {
        let lines = try read(Array("1,A\n2,M".utf8) + [0xFC] + Array("ller\n3,C\n".utf8), as: "a.CSV")
        #expect(lines == ["1=A", "2! it is no UTF-8; save the file as UTF-8", "3=C"])
    }

    private func card(_ lines: String...) -> String {
        "BEGIN:VCARD\r\n" + lines.joined(separator: "\r\n") + "\r\nEND:VCARD\r\n"
    }

    @Test func `a vCard assigns its name to each of its numbers`() throws {
        let text =
            card("VERSION:3.0", "FN:Alice Liddell", "TEL;TYPE=cell:+44 20 1", "item1.TEL:+44 20 2")
            + card("VERSION:4.0", "fn:Bob", "TEL;VALUE=uri;TYPE=\"voice,home\":tel:+1-555-0100;ext=7")
            + card("VERSION:2.1", "N:Doe;Jane;Q.;Dr.;MD", "TEL;WORK;VOICE:+1 555 0101")
            + card("VERSION:3.0", "FN:Nobody")
        #expect(
            try vcf(text) == [
                "44201=Alice Liddell", "44202=Alice Liddell", "15550100=Bob", "15550101=Dr. Jane Q. Doe MD",
            ]
        )
    }

    @Test(arguments: [
        // Folded (RFC 6350, 3.2), and with 2.1's space at the fold.
        ("VERSION:3.0\nFN:Al\n ice\nTEL:+4\n 41", ["441=Alice"]),
        ("VERSION:2.1\nFN:Al\n ice\nTEL:+44\n 1", ["441=Al ice"]),
        ("VERSION:3.0\nFN:Al\n\tice\nTEL:1", ["1=Alice"]),
        // Backslashes.
        ("VERSION:3.0\nFN:Meier\\, M\\;ller\\nBerlin\\\\\nTEL:1", ["1=Meier, M;ller Berlin\\"]),
        // Quoted-printable, with a soft line break.
        ("VERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BC=\nller\nTEL:1", ["1=Müller"]),
        ("VERSION:2.1\nFN;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCller\nTEL:1", ["1=Müller"]),
        ("VERSION:2.1\nFN;CHARSET=windows-1252;ENCODING=quoted-printable:=80uro\nTEL:1", ["1=€uro"]),
        // No FN, or an empty one.
        ("FN:\nORG:Acme;Sales\nTEL:1", ["1=Acme Sales"]),
        ("VERSION:4.0\nTEL:1", ["3! this vCard has numbers and no name; it must have FN or N"]),
        // Ignored properties may be of any length.
        ("FN:A\nPHOTO;ENCODING=b:AAAA\n BBBB=\n CCCC\nTEL:1", ["1=A"]),
        // A card within a card.
        ("FN:A\nAGENT:\nBEGIN:VCARD\nFN:B\nTEL:2\nEND:VCARD\nTEL:1", ["1=A"]),
        ("FN:A\nTEL:1\nTEL:0301\nTEL:3", ["1=A", "4! \"0301\" \(noCountry)", "3=A"]),
        (
            "FN;CHARSET=KLINGON:A\nTEL:1",
            ["2! FN is in \"KLINGON\", which is not read; save the file as UTF-8"]
        ),
        (
            "FN;ENCODING=QUOTED-PRINTABLE:A=G1\nTEL:1",
            ["2! a = in QUOTED-PRINTABLE has no two digits behind it; it must, such as =C3"]
        ),
    ])
    func `vCards of all versions are parsed`(card: String, lines: [String]) throws {
        let text = "BEGIN:VCARD\n" + card + "\nEND:VCARD\n"
        #expect(try vcf(text) == lines)
        #expect(try vcf(text.replacing("\n", with: "\r\n")) == lines)
    }

    @Test func `a vCard without END is reported, and the next one is parsed`() throws {
        let open = "this vCard does not end; it must end with END:VCARD"
        #expect(try vcf("BEGIN:VCARD\nFN:A\nTEL:1\n" + card("FN:B", "TEL:2")) == ["1! \(open)", "2=B"])
        #expect(try vcf(card("FN:B", "TEL:2") + "BEGIN:VCARD\nFN:A\nTEL:1\n") == ["2=B", "5! \(open)"])
    }

    @Test(arguments: ["csv", "vcf"], [1, 2, 3, 4, 5, 6, 7, 8])
    func `no input crashes the readers, and every line is reported at most once`(kind: String, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces =
            kind == "csv"
            ? ["1", "+49", ",", "\"", "\"\"", "\n", "\r\n", "A", "ä", " ", "block", ";", "\u{0}", "\u{FEFF}", "\r"]
            : [
                "BEGIN:VCARD\n", "END:VCARD\n", "VERSION:2.1\n", "FN:A\n", "TEL:1\n", "TEL:x\n", "N:;\n", " ", "\n",
                "=",
                "FN;ENCODING=QUOTED-PRINTABLE:=4", "\"", ":", ";", "\\", "AGENT:\n", "TEL;VALUE=uri:tel:%31\n", "\u{0}",
            ]
        for _ in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
                if Int.random(in: 0..<40, using: &random) == 0 { bytes.append(.random(in: 128...255, using: &random)) }
            }
            let lines = try read(bytes, as: "a." + kind)
            let count = bytes.count { $0 == 0x0A } + 1
            let faults = lines.compactMap { line in
                line.split(separator: "!", maxSplits: 1).first.flatMap { Int($0) }
            }
            #expect(faults.allSatisfy { (1...count).contains($0) }, "seed \(seed): \(bytes)")
            if kind == "csv" {
                #expect(Set(faults).count == faults.count, "seed \(seed): \(bytes)")
                #expect(faults == faults.sorted(), "seed \(seed): \(bytes)")
            }
        }
    }

    @Test func `any CSV content round-trips`() throws {
        var random = SeededRandom(seed: 20)
        let letters = ["a", "ß", "李", ",", "\"", " ", ";", "'", "👩‍👩‍👧", "block"]
        var text = ""
        var expected: [String] = []
        for number in 1...500 {
            let label = "x" + (0..<8).map { _ in letters.randomElement(using: &random) ?? "" }.joined() + "x"
            text += "\(number),\"\(label.replacing("\"", with: "\"\""))\"\r\n"
            expected.append("\(number)=\(label)")
        }
        #expect(try csv(text) == expected)
    }

    @Test(arguments: [
        ("49", "030 123-45", 493_012_345), ("49", "(030) 12345", 493_012_345), ("49", "0049 30 12345", 493_012_345),
        ("+49", "+49 (0)30 12345", 493_012_345), ("49", "+1 555 0100", 15_550_100), ("49", "1111", 1_111),
        // Where numbers keep their 0, and where more than that is dialled in front of them.
        ("39", "06 1234", 39_061_234), ("39", "+39 (0)6 1234", 39_061_234), ("36", "06 1 2345", 3_612_345),
        // With the formatting characters of telephones' exports.
        ("44", "\u{202A}+44 20\u{A0}7946\u{2011}0018\u{202C}", 442_079_460_018),
    ])
    func `national numbers get the country code, international ones are unchanged`(
        code: String,
        text: String,
        number: Int64
    ) throws {
        let country = try #require(CountryCode(code))
        #expect(try NumberReading(country: country).number(text) == number)
    }

    @Test func `the country code applies to CSV files and vCards alike`() throws {
        let numbers = NumberReading(country: CountryCode("49"))
        #expect(
            try read(Array("030 1,A\n0,B\n".utf8), as: "a.csv", numbers) == ["49301=A", "2! \"0\" \(Self.notANumber)"]
        )
        let card = Array("BEGIN:VCARD\nFN:A\nTEL:030 1\nTEL;VALUE=uri:tel:0302\nEND:VCARD\n".utf8)
        #expect(try read(card, as: "a.vcf", numbers) == ["49301=A", "49302=A"])
    }

    @Test(arguments: ["", "0", "049", "1234", "4a", "٤٩"])
    func `an invalid country code is refused`(text: String) {
        #expect(CountryCode(text) == nil)
    }

    @Test func `a file of an unknown type is refused with its name`() {
        #expect(throws: UsageError.self) { _ = try DirectoryFile.open("numbers.xlsx", NumberReading()) }
        #expect(DirectoryFile.baseName(of: "/tmp/spam.2026.csv") == "spam.2026")
    }
}
