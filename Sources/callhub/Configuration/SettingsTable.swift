import HubEngine
import HubServer

/// All settings; `config/callhub.json5` says of each what it is for.
enum SettingsTable {
    /// In the order of the file.
    static let all: [Setting] = [
        .text("listen.host", \.hub.transport.host, hostRule) { ListenAddress.isHost($0) },
        .count("listen.port", \.hub.transport.port, 0...65_535),

        .only("auth.mode", "open"),
        .flag("auth.allowOpenBeyondLoopback", \.allowsOpenBeyondLoopback),

        .seconds("calls.ringTimeoutSeconds", \.hub.ringTimeout, 5...600),
        .seconds("calls.startDeadlineSeconds", \.hub.startDeadline, 1...3600),
        .seconds("calls.answerDeadlineSeconds", \.hub.answerDeadline, 1...600),
        .seconds("calls.actionDeadlineSeconds", \.hub.actionDeadline, 1...60),
        .seconds("calls.softPauseSeconds", \.hub.softPause, 0...60),

        .seconds("wake.waitSeconds", \.hub.wakeWait, 0...600),

        .seconds("session.resumeGraceSeconds", \.hub.resumeGrace, 0...600),
        .seconds("session.pingIntervalSeconds", \.hub.transport.pingInterval, 1...60),
        .seconds("session.silenceTimeoutSeconds", \.hub.transport.silenceTimeout, 2...180),
        .seconds("session.unacknowledgedTimeoutSeconds", \.hub.transport.unacknowledgedTimeout, 1...120),
        .seconds("session.handshakeTimeoutSeconds", \.hub.transport.handshakeTimeout, 1...120),
        .seconds("session.signInTimeoutSeconds", \.hub.transport.signInTimeout, 1...120),
        .seconds("session.closeTimeoutSeconds", \.hub.transport.closeTimeout, 1...30),

        .count("audio.maximumPacketBytes", \.hub.transport.maximumAudioBytes, 200...9000),
        .count("audio.queuePackets", \.hub.transport.audioQueuePackets, 4...4096),
        .count("audio.maximumQueuedPackets", \.hub.transport.maximumQueuedPackets, 256...1_048_576),
        .milliseconds("audio.staleAfterMilliseconds", \.hub.transport.staleAfter, 40...2000),
        .milliseconds("audio.keptOfBacklogMilliseconds", \.hub.transport.keptOfBacklog, 0...2000),

        .count("limits.maximumConnections", \.hub.transport.maximumConnections, 1...1_000_000),
        .count("limits.maximumMessageBytes", \.hub.transport.maximumMessageBytes, 4096...16_777_216),
        .count("limits.maximumQueuedTextBytes", \.hub.transport.maximumQueuedTextBytes, 65_536...268_435_456),
        .count("limits.receiveBufferBytes", \.hub.transport.receiveBufferBytes, 256...65_536),
        .count("limits.notSentLowWaterBytes", \.hub.transport.notSentLowWaterBytes, 1024...1_048_576),
        .count("limits.sendBufferBytes", \.hub.transport.sendBufferBytes, 0...16_777_216),
        .count("limits.maximumRecents", \.hub.memory.maximumRecents, 1...10_000),
        .count("limits.maximumDirectoryEntries", \.hub.memory.maximumDirectoryEntries, 1...10_000_000),
        .seconds("limits.directoryLoadTimeoutSeconds", \.hub.memory.directoryLoadTimeout, 1...3600),

        .textOrNull("http.staticFilesDirectory", \.hub.transport.staticFilesDirectory, "the path of a folder") {
            !$0.isEmpty && !$0.utf8.contains(0)
        },
        .texts("http.allowedOrigins", \.hub.transport.allowedOrigins, originRule, isOrigin),
        .seconds("http.keepAliveTimeoutSeconds", \.hub.transport.keepAliveTimeout, 1...300),

        .seconds("drain.graceSeconds", \.hub.drainGrace, 0...3600),
        .seconds("drain.retryJitterSeconds", \.hub.drainRetryJitter, 0...3600),
        .textOrNull("drain.elsewhere", \.hub.drainElsewhere, "a URL such as \"wss://hub2.example.com/v1\"") {
            $0.wholeMatch(of: /wss?:\/\/[A-Za-z0-9._\-\[\]:]{1,255}(\/[!-~]{0,200})?/) != nil
        },

        .choice("log.level", \.hub.log.level, LogSettings.Level.allCases.map { ("\($0)", $0) }),
        .choice("log.format", \.hub.log.format, LogSettings.Format.allCases.map { ($0.rawValue, $0) }),

        .textOrNull("recording.eventsFile", \.hub.eventsFile, "the path of a new or empty file, or of a folder") {
            !$0.isEmpty && !$0.utf8.contains(0)
        },

        .textOrNull("records.callsFile", \.hub.callsFile, "the path of a file") { !$0.isEmpty && !$0.utf8.contains(0) },

        .textOrNull("node", \.node, nodeRule, isNodeName),
    ]

    /// What must hold between settings; each gives a sentence where it does not.
    static func conflicts(in settings: ServeSettings) -> [String] {
        let transport = settings.hub.transport
        var conflicts: [String] = []
        if transport.silenceTimeout <= transport.pingInterval {
            conflicts.append(
                "session.silenceTimeoutSeconds is \(plain(transport.silenceTimeout / .seconds(1))); it must be more than "
                    + "session.pingIntervalSeconds, which is \(plain(transport.pingInterval / .seconds(1)))."
            )
        }
        if transport.keptOfBacklog > transport.staleAfter {
            conflicts.append(
                "audio.keptOfBacklogMilliseconds is \(plain(transport.keptOfBacklog / .milliseconds(1))); it must not be "
                    + "more than audio.staleAfterMilliseconds, which is \(plain(transport.staleAfter / .milliseconds(1)))."
            )
        }
        return conflicts
    }

    /// What a node's name must be.
    static let nodeRule = "1 to 64 letters, digits, \".\", \"_\" or \"-\""

    /// Whether a node may be called that.
    static func isNodeName(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil }

    private static let hostRule = "an IP address (IPv6 without brackets), a host name of this machine or \"*\""

    private static let originRule = "a list of origins such as [\"https://phone.example.com\"], without a path"

    /// RFC 6454: scheme, host, and a port where it is not the scheme's own.
    private static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /https?:\/\/[A-Za-z0-9._\-\[\]:]{1,255}/) != nil
    }
}
