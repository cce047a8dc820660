public import HubEngine

/// What a line of a recording did when it was done again: for programs that read `callhub replay --json`.
public struct ReplayedEvent: Sendable {
    /// The line in the recording; the header's is 1.
    public var line: Int
    /// What came; time that had passed until then is an event of its own, with the same line.
    public var record: EventRecord
    /// The device that it came from, as `account/device`; nil: from the hub itself.
    public var device: String?
    /// What the engine had the hub do, in order.
    public var effects: [ReplayedEffect]
    /// The rules that are broken after it and were not before, as sentences.
    public var violations: [String]

    /// An event of its parts.
    public init(
        line: Int,
        record: EventRecord,
        device: String?,
        effects: [ReplayedEffect],
        violations: [String]
    ) {
        self.line = line
        self.record = record
        self.device = device
        self.effects = effects
        self.violations = violations
    }

    /// Appends the event as one line of JSON.
    public func encode(into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes, fractionDigits: 9) { writer in
            writer.object { writer in
                writer.member("line", line)
                writer.member("from", device) { $0.value($1) }
                writer.object("came") { record.writeMembers(to: &$0) }
                // What is told is told as on the wire.
                writer.fractionDigits = 3
                writer.array("told", effects) { writer, effect in
                    writer.object { effect.writeMembers(to: &$0) }
                }
                writer.array("violations", violations) { $0.value($1) }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// What a replay was in all: the last line of `callhub replay --json`.
public struct ReplaySummary: Hashable, Sendable {
    /// How many events were done.
    public var events: Int
    /// Every device that signed in, as `account/device`.
    public var devices: [String]
    /// How many rules were broken.
    public var violations: Int
    /// Whether the last line was not complete, and left out.
    public var isCutOff: Bool
    /// The version that recorded.
    public var hubVersion: String

    /// A summary of its parts.
    public init(events: Int, devices: [String], violations: Int, isCutOff: Bool, hubVersion: String) {
        self.events = events
        self.devices = devices
        self.violations = violations
        self.isCutOff = isCutOff
        self.hubVersion = hubVersion
    }

    /// Appends the summary as one line of JSON.
    public func encode(into bytes: inout [UInt8]) {
        JSONWriter.write(into: &bytes) { writer in
            writer.object { writer in
                writer.object("summary") { writer in
                    writer.member("events", events)
                    writer.array("devices", devices) { $0.value($1) }
                    writer.member("violations", violations)
                    writer.member("isCutOff", isCutOff)
                    writer.member("hubVersion", hubVersion)
                }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// One effect, with the names of those it is for.
public struct ReplayedEffect: Hashable, Sendable {
    /// Whom it reaches, as `account/device`; nil: the hub itself.
    public var device: String?
    /// The effect.
    public var effect: Effect
    /// The new route, where the effect says that there is one.
    public var route: Route?

    /// Where a device's packets go.
    public struct Route: Hashable, Sendable {
        /// Why they go nowhere; nil: they go.
        public var obstacle: AudioObstacle?
        /// The devices that get them.
        public var listeners: [String]
        /// The hub's own parties that the device hears.
        public var plays: [BuiltInParty]

        /// A route of its parts.
        public init(obstacle: AudioObstacle?, listeners: [String], plays: [BuiltInParty]) {
            self.obstacle = obstacle
            self.listeners = listeners
            self.plays = plays
        }
    }

    /// An effect of its parts.
    public init(device: String?, _ effect: Effect, route: Route? = nil) {
        self.device = device
        self.effect = effect
        self.route = route
    }
}

extension AudioObstacle {
    /// The obstacle as the hub's metrics name it.
    public var recordedText: String {
        switch self {
        case .noSession: "noSession"
        case .notConnected: "notConnected"
        case .held: "held"
        case .muted: "muted"
        }
    }
}
