public import HubEngine

/// The first line of an event log: the program that wrote it, and the configuration of the engine.
public struct EventLogHeader: Hashable, Sendable {
    /// The program's version; another one may have other rules.
    public var hubVersion: String
    /// The node's name.
    public var node: String
    /// The engine's timeouts and its seed.
    public var engine: EngineConfiguration

    /// Creates a header.
    public init(hubVersion: String, node: String, engine: EngineConfiguration) {
        self.hubVersion = hubVersion
        self.node = node
        self.engine = engine
    }

    /// The version of the event log's format that this program writes and reads.
    public static let formatVersion = 1

    /// The format's name, which distinguishes event logs from other JSON Lines.
    private static let format = "callhub events"

    /// Appends the header's line, with its end, to `bytes`.
    public func encode(into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes) { writer in
            writer.object { line in
                line.member("format", Self.format)
                line.member("version", Self.formatVersion)
                line.object("hub") { hub in
                    hub.member("version", hubVersion)
                    hub.member("node", node)
                }
                line.object("engine") { engine.writeMembers(to: &$0) }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Parses the first line, given without its end.
    public init(parsing line: [UInt8]) throws(EventLogError) {
        self = try EventLogLine.read(DecodedHeader.self, from: line).header
    }

    fileprivate init(_ line: JSONMembers) throws(JSONMemberError) {
        _ = try line.required("format", "be \"\(Self.format)\"") {
            $0 == Self.format ? $0 : nil
        }
        let requirement = "be \(Self.formatVersion), the only one that this version of callhub reads"
        guard try line.required("version", as: Int.self, requirement) == Self.formatVersion else {
            throw line.fault("version", .invalidValue, requirement)
        }
        let hub = try line.object("hub", "be an object")
        self.init(
            hubVersion: try hub.text("version"),
            node: try hub.text("node"),
            engine: try EngineConfiguration(try line.object("engine", "be an object"))
        )
    }
}

private struct DecodedHeader: JSONDecodable {
    let header: EventLogHeader

    init(_ value: JSONValue) throws(JSONMemberError) {
        header = try EventLogHeader(try JSONMembers(value))
    }
}

extension EngineConfiguration {
    private static let times: [(name: String, any WritableKeyPath<EngineConfiguration, Duration> & Sendable)] = [
        ("ringTimeoutSeconds", \.ringTimeout),
        ("startDeadlineSeconds", \.startDeadline),
        ("answerDeadlineSeconds", \.answerDeadline),
        ("actionDeadlineSeconds", \.actionDeadline),
        ("resumeGraceSeconds", \.resumeGrace),
        ("softPauseSeconds", \.softPause),
        ("wakeWaitSeconds", \.pushWait),
    ]

    /// The seed is a hexadecimal string, since programs that read JSON lose digits of such large numbers.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("seed", String(seed, radix: 16))
        for (name, time) in Self.times {
            writer.key(name)
            writer.literal(self[keyPath: time].secondsText)
        }
        writer.member("maximumCallsPerDevice", maximumCallsPerDevice)
    }

    fileprivate init(_ members: JSONMembers) throws(JSONMemberError) {
        self.init(
            seed: try members.required("seed", "be 1 to 16 hexadecimal digits, as text") { UInt64($0, radix: 16) }
        )
        for (name, time) in Self.times {
            let (name, requirement) = (String(name), "be a number of seconds from 0 to \(maximumSeconds)")
            let seconds = try members.required(name, as: Double.self, requirement)
            guard (0...Double(maximumSeconds)).contains(seconds) else {
                throw members.fault(name, .invalidValue, requirement)
            }
            self[keyPath: time] = .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
        }
        // A hub that did not write this member had no limit.
        maximumCallsPerDevice = try members.optional("maximumCallsPerDevice", as: Int.self, "be a number") ?? .max
    }
}

/// The maximum time in seconds, some 11 days; far beyond that a Double still represents every nanosecond.
private let maximumSeconds = 1_000_000

extension Duration {
    /// The seconds as a decimal number, to the nanosecond: `60`, `0.25`.
    fileprivate var secondsText: String {
        let (seconds, fraction) = wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard fraction != 0 else { return String(seconds) }
        let digits = String(fraction.magnitude)
        let padded = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        let sign = seconds == 0 && fraction < 0 ? "-" : ""
        return "\(sign)\(seconds).\(padded)".trimmingSuffix("0")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
