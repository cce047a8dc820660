/// The narrow diagram of a ladder in text: a line for each device and the hub, with letters for received voices.
struct TextCanvas {
    /// The width, in columns.
    private(set) var width = 0
    /// The devices' names above their lines.
    private(set) var names = ""
    /// The meaning of the letters and lines.
    let legend: String

    private let ladder: Ladder
    private let letters: [Character]
    private var cells: [Cell] = []
    private var hub = 0

    /// A device's columns.
    private struct Cell {
        var isLeft: Bool
        /// The columns of its lanes.
        var lanes: [Int]
        /// The column of its line.
        var line: Int
    }

    private static let longestName = 12

    /// Creates the diagram of a ladder.
    init(_ ladder: Ladder) {
        self.ladder = ladder
        letters = Self.letters(for: ladder.voices)
        legend = Self.legend(ladder, letters)
        let left = (ladder.devices.count + 1) / 2
        for (index, device) in ladder.devices.enumerated() {
            if index == left { addHub() }
            add(device, isLeft: index < left)
        }
        if left == ladder.devices.count { addHub() }
    }

    private mutating func add(_ device: Ladder.Device, isLeft: Bool) {
        let name = device.name.shortened(toColumns: Self.longestName)
        let (lanes, size) = (device.lanes.count, max(name.terminalWidth, device.lanes.count + 1) + 3)
        let end = width + size - 1
        names += isLeft ? name.padded(toColumns: size) : String(repeating: " ", count: size - name.terminalWidth) + name
        cells.append(
            Cell(
                isLeft: isLeft,
                lanes: (0..<lanes).map { isLeft ? width + $0 : end - $0 },
                line: isLeft ? width + lanes : end - lanes
            )
        )
        width += size
    }

    private mutating func addHub() {
        hub = width + 3
        width += 6
        names += "  hub "
    }

    // MARK: Lines

    /// Returns the received voices and the calls of each device at a row.
    func state(at row: Int) -> String { String(characters(at: row)) }

    /// Returns the diagram of a fold before a row.
    func fold(before row: Int) -> String {
        var line = characters(at: max(row - 1, 0))
        for cell in cells { line[cell.line] = "⋮" }
        line[hub] = "⋮"
        return String(line)
    }

    /// Returns the diagram at a row, with arrows.
    func arrows(_ arrows: [Ladder.Arrow], at row: Int) -> String {
        var line = characters(at: row)
        for arrow in arrows { draw(arrow.message.kind, of: cells[arrow.device], in: &line) }
        // Heads last: an arrow may cross another one's head.
        for arrow in arrows { drawHead(arrow.message, of: cells[arrow.device], in: &line) }
        return String(line)
    }

    private func draw(_ kind: MessageRecord.Kind, of cell: Cell, in line: inout [Character]) {
        guard kind != .connection else {
            line[cell.line] = "◆"
            return
        }
        let shaft: Character = kind == .reply ? "╌" : "─"
        for column in cell.isLeft ? cell.line + 1..<hub : hub + 1..<cell.line {
            if line[column] == " " { line[column] = shaft }
            if line[column] == "│" { line[column] = "┼" }
        }
    }

    private func drawHead(_ message: MessageRecord, of cell: Cell, in line: inout [Character]) {
        switch message.isFromClient {
        case true?: line[cell.isLeft ? hub - 1 : hub + 1] = cell.isLeft ? "▶" : "◀"
        case false?: line[cell.isLeft ? cell.line + 1 : cell.line - 1] = cell.isLeft ? "◀" : "▶"
        case nil: break
        }
    }

    private func characters(at row: Int) -> [Character] {
        var line = [Character](repeating: " ", count: width)
        line[hub] = "║"
        for (index, device) in ladder.devices.enumerated() {
            let cell = cells[index]
            let isOpen = device.tracks.contains { $0.open.contains { $0.covers(row) } }
            let isHeld = device.tracks.contains { $0.held.contains { $0.covers(row) } }
            line[cell.line] = isOpen ? "┃" : isHeld ? "╎" : "│"
            for (number, lane) in device.lanes.enumerated() where lane.spans.contains(where: { $0.covers(row) }) {
                line[cell.lanes[number]] = letters[lane.voice]
            }
        }
        return line
    }

    // MARK: Letters

    /// Returns a letter for each voice, from its name if possible.
    private static func letters(for voices: [Voice]) -> [Character] {
        var taken: Set<Character> = []
        return voices.map { voice in
            guard case .party(let name) = voice else { return voice == .music ? "♪" : "~" }
            let all = name.lowercased() + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
            let letter = all.first { $0.isASCII && $0.isLetter && !taken.contains($0) } ?? "?"
            taken.insert(letter)
            return letter
        }
    }

    private static func legend(_ ladder: Ladder, _ letters: [Character]) -> String {
        let receivedVoices = Set(ladder.devices.flatMap { $0.lanes.map(\.voice) }).sorted()
        let voices = receivedVoices.map { "\(letters[$0]) \(ladder.voices[$0].name.onOneLine)" }
        let hears = voices.isEmpty ? "" : "hears: \(voices.joined(separator: ", ")); "
        return hears + "┃ audio session, ╎ held, ◆ connection, ⋮ quiet time"
    }
}

extension Ladder.RowRange {
    /// Indicates that the stretch covers a row; one that ends in the row in which it begins covers that row.
    fileprivate func covers(_ row: Int) -> Bool { from == row || (from < row && row < to) }
}
