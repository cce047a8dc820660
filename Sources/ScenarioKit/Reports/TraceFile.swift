/// All messages of some runs as JSON lines, for further processing.
///
/// A run begins with a line that contains `scenario`; the following lines are its messages by time. `raw` is the
/// message as it was on the connection, a string, since a hub may have sent invalid JSON.
public struct TraceFile {
    private let records: [RunResult]

    /// Creates a trace of some runs.
    ///
    /// - Parameter records: The runs, in the order of the trace.
    public init(_ records: [RunResult]) {
        self.records = records
    }

    /// The whole file.
    public var text: String {
        records.enumerated().flatMap { Self.lines(of: $1, number: $0 + 1) }.map { $0 + "\n" }.joined()
    }

    private static func lines(of record: RunResult, number: Int) -> [String] {
        var head = "{\"run\":\(number),\"scenario\":\(record.name.inJSON),\"seed\":\(record.seed)"
        if let file = record.file { head += ",\"file\":\(file.inJSON)" }
        head += ",\"verdict\":\"\(record.verdict.word)\",\"seconds\":\(record.duration.seconds(positions: 6))}"
        let messages = record.devices.enumerated().flatMap { index, device in
            device.messages.map { (device: index, message: $0) }
        }
        let sorted = messages.sorted { ($0.message.at, $0.message.order) < ($1.message.at, $1.message.order) }
        return [head] + sorted.map { line(of: $0.message, by: record.devices[$0.device].deviceReference, run: number) }
    }

    private static func line(of message: MessageRecord, by deviceReference: DeviceReference, run: Int) -> String {
        let direction =
            switch message.isFromClient {
            case true?: "\"toHub\""
            case false?: "\"fromHub\""
            case nil: "null"
            }
        var line =
            "{\"run\":\(run),\"at\":\(message.at.seconds(positions: 6)),\"device\":\(deviceReference.description.inJSON)"
        line += ",\"direction\":\(direction),\"kind\":\"\(message.kind.rawValue)\",\"method\":\(message.method.inJSON)"
        line += ",\"summary\":\(message.summary.inJSON)"
        if let call = message.call { line += ",\"call\":\(call.text.inJSON)" }
        return line + ",\"raw\":\(message.json?.inJSON ?? "null")}"
    }
}
