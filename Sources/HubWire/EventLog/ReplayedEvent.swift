public import HubEngine

/// A replayed line of an event log, as `callhub replay --json` prints it.
public struct ReplayedEvent: Sendable {
    /// The line number in the event log; the header's is 1.
    public var line: Int
    /// The event; the passing of time before it is an event of its own, with the same line.
    public var entry: EventLogEntry
    /// The device that sent it, as `account/device`; nil: the hub itself.
    public var device: String?
    /// The effects that the engine returned, in order.
    public var effects: [ReplayedEffect]
    /// The invariants that are violated after the event and were not before, a sentence each.
    public var violations: [String]

    /// Creates a replayed event.
    public init(
        line: Int,
        entry: EventLogEntry,
        device: String?,
        effects: [ReplayedEffect],
        violations: [String]
    ) {
        self.line = line
        self.entry = entry
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
                writer.object("came") { entry.writeMembers(to: &$0) }
                // Notifications have the precision of the wire.
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

/// The summary of a replay: the last line of `callhub replay --json`.
public struct ReplaySummary: Hashable, Sendable {
    /// The number of replayed events.
    public var events: Int
    /// Every device that signed in, as `account/device`.
    public var devices: [String]
    /// The number of violations.
    public var violations: Int
    /// Indicates that the last line was incomplete, and was left out.
    public var isCutOff: Bool
    /// The version of the hub that wrote the event log.
    public var hubVersion: String

    /// Creates a summary.
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

/// An effect, with the names of the devices concerned.
public struct ReplayedEffect: Hashable, Sendable {
    /// The device that receives it, as `account/device`; nil: the hub itself.
    public var device: String?
    /// The effect.
    public var effect: Effect
    /// The device's new audio route, if the effect is a change of it.
    public var route: Route?

    /// The route of a device's audio packets.
    public struct Route: Hashable, Sendable {
        /// The reason why the packets are dropped; nil: they are forwarded.
        public var gateReason: GateReason?
        /// The devices that receive the packets.
        public var listeners: [String]
        /// The built-in parties that the device receives audio from.
        public var playedSources: [BuiltInParty]
        /// The hold audio that the device receives; nil: none.
        public var holdAudio: HoldAudio?

        /// Creates a route.
        public init(gateReason: GateReason?, listeners: [String], playedSources: [BuiltInParty], holdAudio: HoldAudio?)
        {
            self.gateReason = gateReason
            self.listeners = listeners
            self.playedSources = playedSources
            self.holdAudio = holdAudio
        }
    }

    /// Creates an effect.
    public init(device: String?, _ effect: Effect, route: Route? = nil) {
        self.device = device
        self.effect = effect
        self.route = route
    }
}

extension GateReason {
    /// The reason's name in the hub's metrics.
    public var logText: String {
        switch self {
        case .noSession: "noSession"
        case .notConnected: "notConnected"
        case .held: "held"
        case .muted: "muted"
        }
    }
}
