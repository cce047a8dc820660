import Foundation
import QRCode
import Testing

/// Tests of QR codes, read by a program of another maker (zbarimg).
struct QRCodeTests {
    @Test(arguments: [
        "a", "https://192.168.1.23:8443/#i=0123456789abcdefghijkl", "Jürgen – 통화",
        String(repeating: "x", count: QRCode.maximumBytes),
    ])
    func `another program reads the text of a code`(text: String) throws {
        let code = try #require(QRCode(text))
        #expect(try textRead(from: image(of: code)) == text)
    }

    @Test(arguments: [true, false])
    func `a code drawn in a terminal is read as its text`(isColoured: Bool) throws {
        let text = "https://callhub.local:8443/#i=0123456789abcdefghijkl"
        let code = try #require(QRCode(text))
        let lines = code.terminalText(isColoured: isColoured)
        #expect(try textRead(from: image(ofTerminal: lines, isColoured: isColoured)) == text)
    }

    @Test func `a line of a terminal has the columns that the code says it needs`() throws {
        let code = try #require(QRCode("https://callhub.local/"))
        let lines = code.terminalText(isColoured: false).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count == code.terminalColumns })
        #expect(lines.count == (code.terminalColumns + 1) / 2)
    }

    @Test func `an empty text and one that no symbol holds have no code`() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: QRCode.maximumBytes + 1)) == nil)
    }

    @Test func `the bits are the modules from the top left, the first one the highest`() throws {
        let code = try #require(QRCode("a"))
        #expect(code.size == 21)
        #expect(code.bits.count == 56)
        // The finder pattern's first row: seven dark modules and a light one.
        #expect(code.bits.first == 0b1111_1110)
        for index in 0..<code.size * code.size {
            let bit = code.bits[index / 8] << UInt8(index % 8) & 0x80 != 0
            #expect(bit == code.isDark(row: index / code.size, column: index % code.size))
        }
    }

    // MARK: Pictures

    /// Draws a code as a picture, eight pixels a module.
    private func image(of code: QRCode) -> [UInt8] {
        let border = -QRCode.quietZone..<code.size + QRCode.quietZone
        return picture(border.map { row in border.map { code.isDark(row: row, column: $0) } })
    }

    /// Draws the characters of a terminal as a picture: black on white if they are coloured, else white on black.
    private func image(ofTerminal text: String, isColoured: Bool) -> [UInt8] {
        let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        return picture(
            plain.split(separator: "\n").flatMap { line in
                [line.map { "█▀".contains($0) == isColoured }, line.map { "█▄".contains($0) == isColoured }]
            }
        )
    }

    /// Makes a binary PGM file of rows of dark pixels.
    private func picture(_ rows: [[Bool]]) -> [UInt8] {
        let scale = 8
        let width = (rows.first?.count ?? 0) * scale
        var bytes = Array("P5\n\(width) \(rows.count * scale)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { bytes += line }
        }
        return bytes
    }

    /// Reads the code in a picture by zbarimg.
    private func textRead(from picture: [UInt8]) throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: "callhub-qr-\(UUID().uuidString).pgm")
        try Data(picture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (zbarimg, output) = (Process(), Pipe())
        zbarimg.executableURL = URL(filePath: "/usr/bin/zbarimg")
        zbarimg.arguments = ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", file.path]
        zbarimg.standardOutput = output
        zbarimg.standardError = FileHandle.nullDevice
        try zbarimg.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        zbarimg.waitUntilExit()
        return String(data: data, encoding: .utf8)?.trimmingCharacters(in: .newlines)
    }
}
