/// The ladder of a run as a Mermaid sequence diagram.
public struct LadderMermaid {
    private let ladder: Ladder
    private var out = ""

    /// Creates the diagram of a run.
    ///
    /// - Parameter record: The record of the run.
    public init(_ record: RunResult) {
        ladder = Ladder(record)
    }

    /// The whole diagram.
    public var text: String {
        var writer = self
        writer.write()
        return writer.out
    }

    private mutating func write() {
        let left = (ladder.devices.count + 1) / 2
        out += "sequenceDiagram\n"
        for (index, device) in ladder.devices.enumerated() {
            if index == left { add("participant hub as hub") }
            add("participant d\(index) as \(device.name.inMermaid)")
        }
        if left == ladder.devices.count { add("participant hub as hub") }
        for (index, row) in ladder.rows.enumerated() { add(row, at: index) }
    }

    private mutating func add(_ line: String) { out += "    \(line)\n" }

    private mutating func add(_ row: Ladder.Row, at index: Int) {
        if let quiet = row.quiet { add("Note over \(all): \("… \(quiet.inWords) …".inMermaid)") }
        if let step = row.step {
            let record = ladder.record.steps[step]
            let note = record.note.map { " (\($0))" } ?? ""
            add("Note over \(all): \("\(row.at.inSeconds)  \(record.text)\(note)".inMermaid)")
        }
        for arrow in row.arrows { add(line(of: arrow)) }
        addAudio(at: index)
        addHeard(at: index)
        if row.isFailure, let failure = ladder.record.failure {
            let words = "✗ expected: \(failure.expected)".inMermaid + "<br/>" + "came: \(failure.actual)".inMermaid
            add("rect rgb(253, 220, 220)")
            add("Note over \(all): \(words)")
            add("end")
        }
    }

    /// The span of a note over all columns.
    private var all: String {
        switch ladder.devices.count {
        case 0: "hub"
        case 1: "d0,hub"
        default: "d0,d\(ladder.devices.count - 1)"
        }
    }

    private func line(of arrow: Ladder.Arrow) -> String {
        let (device, words) = ("d\(arrow.device)", arrow.message.label.inMermaid)
        return switch arrow.message.kind {
        case .request: "\(device)->>hub: \(words)"
        case .reply: "hub-->>\(device): \(words)"
        case .notification: "hub->>\(device): \(words)"
        case .refusal: "hub-x\(device): \(words)"
        case .connection: "Note over \(device): \(words)"
        }
    }

    // MARK: States

    /// Deactivates ended sessions before it activates new ones: Mermaid rejects a deactivation without an activation.
    private mutating func addAudio(at row: Int) {
        for (index, device) in ladder.devices.enumerated() {
            let (before, now) = (isOpen(device, at: row - 1), isOpen(device, at: row))
            if before, !now { add("deactivate d\(index)") }
            if !before, now { add("activate d\(index)") }
        }
    }

    private func isOpen(_ device: Ladder.Device, at row: Int) -> Bool {
        // A session that is open at the end is closed with the last row.
        row >= 0 && row < ladder.rows.count - 1
            && device.tracks.contains { $0.open.contains { $0.from <= row && row < $0.to } }
    }

    private mutating func addHeard(at row: Int) {
        guard row < ladder.rows.count - 1 else { return }
        for (index, device) in ladder.devices.enumerated() {
            let (before, now) = (receivedVoices(by: device, at: row - 1), receivedVoices(by: device, at: row))
            guard before != now else { continue }
            let names = now.isEmpty ? "nothing" : now.map { ladder.voices[$0].name }.joined(separator: ", ")
            add("Note over d\(index): \("♪ hears \(names)".inMermaid)")
        }
    }

    private func receivedVoices(by device: Ladder.Device, at row: Int) -> [Int] {
        device.lanes.filter { $0.spans.contains { $0.from <= row && row < $0.to } }.map(\.voice)
    }
}

extension StringProtocol {
    /// The text for Mermaid, with character codes in place of characters that have a meaning in its syntax.
    fileprivate var inMermaid: String {
        let text = onOneLine.unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isPlainInMermaid ? String(scalar) : "#\(scalar.value);"
        }
        return text.allSatisfy { $0 == " " } ? "#160;" : text
    }
}

extension Unicode.Scalar {
    fileprivate var isPlainInMermaid: Bool {
        value >= 0xA0 || properties.isAlphabetic || "0"..."9" ~= self || " .,'()-/=+?!".unicodeScalars.contains(self)
    }
}
