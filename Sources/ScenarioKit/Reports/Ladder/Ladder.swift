/// The content of a run's ladder diagram, row by row, independent of the output format.
///
/// Time is compressed: each event has a row, and after a long time without events the next row states its length.
/// States with a duration (sound, audio sessions, calls on hold) extend from one row to another.
struct Ladder {
    /// The run.
    let record: RunResult
    /// The devices, in the order of the scenario.
    var devices: [Device] = []
    /// The events in order; the last row is the run's end.
    var rows: [Row] = []
    /// The parties' voices, followed by those of the hub that were received.
    var voices: [Voice] = []

    /// The maximum distance of events that count as simultaneous, small against a frame of sound of 20 ms.
    static let simultaneityTolerance = Duration.milliseconds(2)
    /// The minimum time without events that is folded.
    static let quiet = Duration.milliseconds(400)

    /// An event, or the beginning or end of a state.
    struct Row {
        /// The time of the row.
        var at: Duration
        /// The time without events before the row; nil: it is short.
        var quiet: Duration?
        /// The index of the step that begins; nil: none.
        var step: Int?
        /// The simultaneous messages of the row: all from devices to the hub, or all from the hub.
        var arrows: [Arrow] = []
        /// Indicates that the run failed here.
        var isFailure = false

        /// Indicates that the row has no text, only the beginning or end of a state.
        var isBare: Bool { step == nil && arrows.isEmpty && !isFailure }
    }

    /// A message between a device and the hub.
    struct Arrow {
        /// The index of the device.
        var device: Int
        /// The message.
        var message: MessageRecord
    }

    /// A device's column.
    struct Device {
        /// The device as a line refers to it: `alice's laptop`.
        var name: String
        /// The index of its party's voice in ``Ladder/voices``.
        var voice: Int
        /// Its calls, in the order of their first appearance.
        var tracks: [Track] = []
        /// The received voices, in the order of ``Ladder/voices``.
        var lanes: [Lane] = []
    }

    /// A call on a device, with the times of its audio session and of its holds.
    struct Track {
        /// The call; nil: an audio session without a known call.
        var call: CallName?
        /// The times in which the audio session was active for it.
        var open: [RowRange] = []
        /// The times in which its owner held it.
        var held: [RowRange] = []
    }

    /// A voice that a device received.
    struct Lane {
        /// The voice's index in ``Ladder/voices``.
        var voice: Int
        /// The times in which it was received.
        var spans: [RowRange] = []
    }

    /// A range from one row to the same or a later one.
    struct RowRange: Equatable {
        var from: Int
        var to: Int

        /// The exact times, for tooltips.
        var begin: Duration
        var end: Duration
    }

    /// Creates the ladder of a run.
    init(_ record: RunResult) {
        self.record = record
        voices = Self.voices(of: record)
        let rows = LadderRows(record)
        self.rows = rows.rows
        devices = record.devices.enumerated().map { index, device in
            LadderSpans(device, at: index, rows: rows.rows, voices: voices).device
        }
    }

    private static func voices(of record: RunResult) -> [Voice] {
        let parties = record.scenario.parties.map(\.name) + record.devices.map(\.deviceReference.party)
        let receivedVoices = record.devices.flatMap { $0.receivedVoices.flatMap(\.voices) }
        var seen: Set<Voice> = []
        let own = parties.map(Voice.party) + receivedVoices.filter { $0 != .music && $0 != .tone }
        return (own + [.music, .tone].filter(receivedVoices.contains)).filter { seen.insert($0).inserted }
    }
}
