/// A run as a picture before it is drawn: who takes part, and what happened, row by row.
///
/// Time is compressed: a row is something that happened, and where nothing does for long, the next row says for how long.
/// What lasts (sound, audio sessions, calls on hold) goes from one row to another.
struct Ladder {
    /// The run.
    let record: RunRecord
    /// Who takes part, in the order of the scenario.
    var devices: [Device] = []
    /// What happened, in order; the last one is the run's end.
    var rows: [Row] = []
    /// The parties' voices, and after them the hub's own that were heard.
    var voices: [Voice] = []

    /// What is at most this far apart is one moment; a frame of sound has 20 ms.
    static let breath = Duration.milliseconds(2)
    /// Where nothing happens for this long, time is folded.
    static let quiet = Duration.milliseconds(400)

    /// Something that happened, or where something that lasts has an edge.
    struct Row {
        /// When.
        var at: Duration
        /// For how long nothing happened before; nil: not for long.
        var quiet: Duration?
        /// The number of the step that begins.
        var step: Int?
        /// What went over connections in this moment: all from devices to the hub, or all from it.
        var arrows: [Arrow] = []
        /// Whether the run failed here.
        var isFailure = false

        /// Whether there is nothing to be read here, only edges of what lasts.
        var isBare: Bool { step == nil && arrows.isEmpty && !isFailure }
    }

    /// A message between a device and the hub.
    struct Arrow {
        /// The device's number.
        var device: Int
        /// What it says.
        var message: MessageRecord
    }

    /// One column.
    struct Device {
        /// As in a line: `alice's laptop`.
        var name: String
        /// The number of its party's voice in ``Ladder/voices``.
        var voice: Int
        /// Its calls, in the order in which they came into the picture.
        var tracks: [Track] = []
        /// Whom it heard, in the order of ``Ladder/voices``.
        var lanes: [Lane] = []
    }

    /// A call on a device, with what the audio session and the hold make of it.
    struct Track {
        /// Which; nil: an audio session of which no call is known.
        var call: CallName?
        /// When the audio session was active for it.
        var open: [Stretch] = []
        /// When its owner held it.
        var held: [Stretch] = []
    }

    /// A voice that a device heard.
    struct Lane {
        /// The voice's number in ``Ladder/voices``.
        var voice: Int
        /// When.
        var spans: [Stretch] = []
    }

    /// From one row to another, not before it.
    struct Stretch: Equatable {
        var from: Int
        var to: Int

        /// The time itself, for a title.
        var begin: Duration
        var end: Duration
    }

    /// The picture of a run.
    init(_ record: RunRecord) {
        self.record = record
        voices = Self.voices(of: record)
        let rows = LadderRows(record)
        self.rows = rows.rows
        devices = record.devices.enumerated().map { index, device in
            LadderSpans(device, at: index, rows: rows.rows, voices: voices).device
        }
    }

    private static func voices(of record: RunRecord) -> [Voice] {
        let parties = record.scenario.parties.map(\.name) + record.devices.map(\.who.party)
        let heard = record.devices.flatMap { $0.heard.flatMap(\.voices) }
        var seen: Set<Voice> = []
        let own = parties.map(Voice.party) + heard.filter { $0 != .music && $0 != .tone }
        return (own + [.music, .tone].filter(heard.contains)).filter { seen.insert($0).inserted }
    }
}
