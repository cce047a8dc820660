/// The layout of the drawing's head: the title, the verdict and the legend.
struct LadderHead {
    private(set) var texts: [PlacedText] = []
    private(set) var samples: [(box: Box, appearance: LegendSample)] = []
    private(set) var bottom = 44

    private let width: Int
    private var x = LadderColumns.edge

    /// Creates the head of a ladder.
    ///
    /// - Parameters:
    ///   - ladder: The ladder.
    ///   - width: The width of the drawing, in pixels.
    init(_ ladder: Ladder, width: Int) {
        self.width = width
        let availableWidth = width - 2 * LadderColumns.edge
        texts.append(.placed(ladder.record.name.onOneLine, as: .title, x: x, width: availableWidth, y: 14))
        addFacts(ladder.record)
        for voice in ladder.voices.indices {
            add(.voice(voice), "\(ladder.voices[voice].name.onOneLine)", width: 12)
        }
        x += 10
        for sample in LegendSample.signs where sample.occurs(in: ladder) { add(sample, sample.words, width: 24) }
        bottom += 20
    }

    private mutating func addFacts(_ record: RunResult) {
        let verdict = record.verdict.word
        let pill = TextMeasure.width(verdict, size: 11, isBold: true)
        samples.append((Box(x: x, y: 40, width: pill + 16, height: 19), .verdict(verdict)))
        texts.append(.placed(verdict, as: .verdict, x: x + 8, width: pill, y: 42, anchor: .middle))
        let position = [record.file?.onOneLine, record.line.map { "line \($0)" }].compactMap(\.self)
        let proves = record.scenario.proves.map(\.onOneLine).joined(separator: ", ")
        let facts = [
            record.reasonToSkip?.onOneLine, record.duration.inSeconds + " s", "seed \(record.seed)",
            position.isEmpty ? nil : position.joined(separator: ", "), proves.isEmpty ? nil : "proves \(proves)",
        ]
        let begin = x + pill + 28
        texts.append(
            .placed(
                facts.compactMap(\.self).joined(separator: "  ·  "),
                as: .facts,
                x: begin,
                width: max(width - LadderColumns.edge - begin, 0),
                y: 42
            )
        )
        bottom = 70
    }

    /// Adds a sample and its text to the legend, on the next line if there is no room.
    private mutating func add(_ sample: LegendSample, _ words: String, width sampleWidth: Int) {
        let needed = min(TextMeasure.width(words, size: PlacedText.Role.legend.size), 160)
        if x + sampleWidth + 6 + needed > width - LadderColumns.edge, x > LadderColumns.edge {
            x = LadderColumns.edge
            bottom += 20
        }
        samples.append((Box(x: x, y: bottom + 2, width: sampleWidth, height: 12), sample))
        texts.append(.placed(words, as: .legend, x: x + sampleWidth + 6, width: needed, y: bottom))
        x += sampleWidth + 6 + needed + 16
    }
}

/// A symbol of the legend.
enum LegendSample: Equatable {
    case verdict(String)
    case voice(Int)
    case open, held, request, reply, notification, refusal, connection, fold

    /// All symbols except verdicts and voices, in the legend's order.
    static let signs: [Self] = [.open, .held, .request, .reply, .notification, .refusal, .connection, .fold]

    /// The legend's text.
    var words: String {
        switch self {
        case .verdict, .voice: ""
        case .open: "audio session"
        case .held: "held"
        case .request: "request"
        case .reply: "reply"
        case .notification: "notification"
        case .refusal: "refusal"
        case .connection: "connection"
        case .fold: "folded time"
        }
    }

    /// Indicates that the symbol occurs in the ladder, so that the legend contains it.
    func occurs(in ladder: Ladder) -> Bool {
        let tracks = ladder.devices.flatMap(\.tracks)
        switch self {
        case .verdict, .voice: return false
        case .open: return tracks.contains { !$0.open.isEmpty }
        case .held: return tracks.contains { !$0.held.isEmpty }
        case .fold: return ladder.rows.contains { $0.quiet != nil }
        case .request: return Self.occurs(.request, in: ladder)
        case .reply: return Self.occurs(.reply, in: ladder)
        case .notification: return Self.occurs(.notification, in: ladder)
        case .refusal: return Self.occurs(.refusal, in: ladder)
        case .connection: return Self.occurs(.connection, in: ladder)
        }
    }

    private static func occurs(_ kind: MessageRecord.Kind, in ladder: Ladder) -> Bool {
        ladder.rows.contains { $0.arrows.contains { $0.message.kind == kind } }
    }
}
