/// The horizontal layout from left to right: times, steps, half of the devices, the hub, the other half.
///
/// A device has its lanes on the outside, then its calls, then the texts of its messages on the side of the hub.
struct LadderColumns {
    /// The left edge of the times, which end at ``timeEnd``.
    static let edge = 16
    /// The right edge of the times.
    static let timeEnd = edge + 44
    /// The middle of a step's tick mark.
    static let tick = timeEnd + 14
    /// The left edge of the steps.
    static let stepBegin = tick + 12
    /// The widths of a lane, a call and the hub.
    static let laneWidth = 7, trackWidth = 11, hubWidth = 12

    /// The maximum width of a step's text.
    var stepWidth: Int
    /// The left edge of the devices.
    var begin: Int
    /// The right edge of the devices.
    var end = 0
    /// The columns of the devices.
    var devices: [Column] = []
    /// The hub's left edge.
    var hub = 0

    /// The horizontal layout of a device.
    struct Column {
        /// Indicates that the device is left of the hub.
        var isLeft: Bool
        /// The left edge and the width of the whole column.
        var x: Int
        var width: Int
        /// The left edges of the lanes and of the calls.
        var lanes: [Int]
        var tracks: [Int]
        /// The middle of the device's line.
        var line: Int
        /// The edge of its calls on the side of the hub.
        var port: Int
        /// The range of the messages' texts.
        var words: Range<Int>
    }

    /// Creates the columns of a ladder.
    init(_ ladder: Ladder) {
        stepWidth = Self.stepWidth(ladder)
        begin = Self.stepBegin + stepWidth + 20
        var x = begin
        let left = (ladder.devices.count + 1) / 2
        for (index, device) in ladder.devices.enumerated() {
            if index == left { addHub(&x) }
            let column = Self.column(device, isLeft: index < left, words: Self.words(ladder, of: index), at: x)
            devices.append(column)
            x += column.width + 14
        }
        if left == ladder.devices.count { addHub(&x) }
        end = x
    }

    private mutating func addHub(_ x: inout Int) {
        hub = x + 10
        x = hub + Self.hubWidth + 24
    }

    private static func column(_ device: Ladder.Device, isLeft: Bool, words: Int, at x: Int) -> Column {
        let lanes = device.lanes.count * (laneWidth + 1)
        let tracks = max(device.tracks.count, 1) * (trackWidth + 1)
        let beside = lanes + (lanes > 0 ? 4 : 0) + tracks
        let heading = TextMeasure.width(device.name, size: PlacedText.Role.heading.size, isBold: true) + 30
        let width = max(beside + 8 + words, min(heading, 190))
        // From the outside inwards: from the left edge, or mirrored on the other side.
        let position = { (offset: Int, size: Int) in isLeft ? x + offset : x + width - offset - size }
        let trackBegin = beside - tracks
        return Column(
            isLeft: isLeft,
            x: x,
            width: width,
            lanes: device.lanes.indices.map { position($0 * (laneWidth + 1), laneWidth) },
            tracks: device.tracks.indices.map { position(trackBegin + $0 * (trackWidth + 1), trackWidth) },
            line: position(trackBegin + (tracks - 1) / 2, 0),
            port: position(beside, 0),
            words: isLeft ? x + beside + 8..<x + width : x..<x + width - beside - 8
        )
    }

    /// Returns the width of a device's texts: that of the longest, within limits that keep many devices on a screen.
    private static func words(_ ladder: Ladder, of index: Int) -> Int {
        let limit = ladder.devices.count <= 4 ? 210 : ladder.devices.count <= 8 ? 150 : 120
        let widest = ladder.rows.flatMap(\.arrows).filter { $0.device == index }.map {
            TextMeasure.width($0.message.label, size: PlacedText.Role.message.size)
        }.max()
        return min(max(widest ?? 0, 44), limit)
    }

    private static func stepWidth(_ ladder: Ladder) -> Int {
        let widths = ladder.record.steps.map {
            indent($0) + TextMeasure.width($0.text.onOneLine, size: PlacedText.Role.step.size)
        }
        return min(max(widths.max() ?? 0, 60), 330)
    }

    /// Returns the indentation of a step, in pixels.
    static func indent(_ step: StepRecord) -> Int { min(max(step.depth, 0), 8) * 12 }
}
