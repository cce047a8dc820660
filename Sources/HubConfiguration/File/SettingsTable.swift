import HubACME
import HubAccountData
import HubCertificates
import HubCrypto
import HubEngine
import HubServer
import HubWire

/// All settings; `config/callhub.json5` describes each of them.
package enum SettingsTable {
    /// The settings in the order of the configuration file.
    package static let all: [Setting] = [
        .text("listen.host", \.hub.transport.host, hostRule) { ListenAddress.isHost($0) },
        .count("listen.port", \.hub.transport.port, 0...65_535),

        .textOrNull("tls.certificate", \.hub.transport.certificateFile, "the path of a PEM file", isPath),
        .textOrNull("tls.key", \.hub.transport.keyFile, "the path of a PEM file", isPath),
        // A sentence of its own says what is wrong with a name.
        .texts("tls.acme.domains", \.tls.acme.domains, "a list of host names such as [\"calls.example.org\"]") {
            !$0.isEmpty
        },
        .text("tls.acme.directory", \.tls.acme.directoryURL, "an https URL") { $0.hasPrefix("https://") },
        .textOrNull("tls.acme.contact", \.tls.acme.contact, "an e-mail address") { $0.contains("@") },
        .textOrNull("tls.acme.certificateAuthority", \.tls.acme.authorityFile, "the path of a PEM file", isPath),
        .flag("tls.own", \.tls.own),
        .texts("tls.names", \.tls.names, SubjectName.rule) { SubjectName($0) != nil },
        .count("tls.strictTransportSeconds", \.hub.transport.strictTransportSeconds, 0...63_072_000),

        .count("server.loops", \.hub.transport.loops, 0...64),
        .microseconds("server.batchMicroseconds", \.hub.transport.batch, 0...5000),

        .textOrNull("brand.name", \.brand.name, BrandSettings.nameRule) { BrandSettings.isName($0) },
        .textOrNull("brand.color", \.brand.color, BrandSettings.colorRule) { BrandSettings.isColor($0) },
        .textOrNull("brand.logo", \.brand.logo, "the path of a PNG or SVG file", isPath),

        .choice("auth.mode", \.authMode, AuthMode.allCases.map { ($0.rawValue, $0) }),
        .textOrNull("auth.tokenKeys", \.tokens.keysFile, "the path of a file", isPath),
        .textOrNull("auth.tokenIssuer", \.tokens.issuer, "a string of 1 to 1024 bytes", isTokenName),
        .text("auth.tokenAudience", \.tokens.audience, "a string of 1 to 1024 bytes", isTokenName),
        .seconds("auth.tokenLeewaySeconds", \.tokens.leeway, 0...600),
        .count("auth.passwordMegabytes", \.passwordMegabytes, PasswordCost.megabyteLimits),
        .count("auth.passwordPasses", \.passwordPasses, PasswordCost.passLimits),
        .flag("auth.allowOpenBeyondLoopback", \.allowsOpenBeyondLoopback),
        .flag("auth.selfRegistration", \.invitations.allowsSelfRegistration),

        .textOrNull("auth.openID.issuer", \.openID.issuer, issuerRule) { OpenIDSettings.isIssuer($0) },
        .textOrNull("auth.openID.clientID", \.openID.clientID, "a string of 1 to 1024 bytes", isTokenName),
        .textOrNull(
            "auth.openID.clientSecretFile",
            \.openID.clientSecretFile,
            "the path of a file, or \"credential:NAME\"",
            isPath
        ),
        .texts("auth.openID.scopes", \.openID.scopes, "a list of scopes such as [\"openid\", \"profile\"]") {
            OpenIDSettings.isScope($0)
        },
        .text("auth.openID.accountClaim", \.openID.accountClaim, claimRule, isClaim),
        .textOrNull("auth.openID.nameClaim", \.openID.nameClaim, claimRule, isClaim),
        .textOrNull("auth.openID.departmentClaim", \.openID.departmentClaim, claimRule, isClaim),
        .textOrNull("auth.openID.adminClaim", \.openID.adminClaim, claimRule, isClaim),
        .textOrNull("auth.openID.adminValue", \.openID.adminValue, "a string of 1 to 256 bytes") {
            (1...256).contains($0.utf8.count)
        },
        .flag("auth.openID.createsAccounts", \.openID.createsAccounts),
        .textOrNull("auth.openID.label", \.openID.label, "a name of 1 to 64 bytes without invisible characters") {
            OpenIDSettings.isText($0, atMost: 64)
        },
        .count("auth.openID.sessionHours", \.openID.sessionHours, 1...8_760),
        .textOrNull(
            "auth.openID.certificateAuthority",
            \.openID.certificateAuthority,
            "the path of a PEM file",
            isPath
        ),

        .choice(
            "invitations.accounts",
            \.invitations.accounts,
            InvitationSettings.Inviters.allCases.map { ($0.rawValue, $0) }
        ),

        .textOrNull("storage.path", \.storagePath, "the path of a file, or \":memory:\"", isPath),
        .textOrNull("backup.folder", \.backup.folder, "the path of a folder", isPath),
        .count("backup.hour", \.backup.hour, 0...23),
        .count("backup.keep", \.backup.keep, 1...3650),

        .count("retention.recentsDays", \.recentsDays, 0...36_500),
        .count("retention.auditDays", \.auditDays, 30...36_500),

        .seconds("calls.ringTimeoutSeconds", \.hub.ringTimeout, 0.1...600),
        .seconds("calls.startDeadlineSeconds", \.hub.startDeadline, 0.1...3600),
        .seconds("calls.answerDeadlineSeconds", \.hub.answerDeadline, 0.1...600),
        .seconds("calls.actionDeadlineSeconds", \.hub.actionDeadline, 0.1...60),
        .seconds("calls.softPauseSeconds", \.hub.softPause, 0...60),
        .choice("calls.onHold", \.hub.holdAudio, HoldAudio.allCases.map { ($0.rawValue, $0) }),

        .seconds("wake.waitSeconds", \.hub.pushWait, 0...600),

        .textOrNull("push.contact", \.push.contact, contactRule) { PushAuthorization.isContact($0) },
        .texts("push.services", \.push.services, pushServiceRule) { PushServiceList.isEntry($0) },
        .count("push.messagesToAccountPerMinute", \.push.messagesToAccountPerMinute, 1...1_000_000),
        .count("push.messagesByCallerPerMinute", \.push.messagesByCallerPerMinute, 1...1_000_000),
        .textOrNull("push.certificateAuthority", \.push.certificateAuthority, "the path of a PEM file", isPath),

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
        .count("audio.mixers", \.hub.transport.mixers, 0...64),
        .count("audio.mixedFrom", \.hub.transport.mixedFrom, 3...1000),

        .count("limits.maximumConnections", \.hub.transport.maximumConnections, 1...1_000_000),
        .count("limits.maximumConnectionsPerAddress", \.hub.transport.maximumConnectionsPerAddress, 1...1_000_000),
        .count("limits.maximumHandshakesPerAddress", \.hub.transport.maximumHandshakesPerAddress, 1...1_000_000),
        .addresses("limits.exemptAddresses", \.hub.transport.exemptAddresses),
        .count("limits.requestsPerSecond", \.hub.transport.requestsPerSecond, 1...1_000_000),
        .count("limits.signInsPerMinute", \.hub.transport.signInsPerMinute, 1...1_000_000),
        .count("limits.messagesPerSecond", \.hub.messagesPerSecond, 1...1_000_000),
        .count("limits.callsToAccountPerSecond", \.hub.callsToAccountPerSecond, 1...1_000_000),
        .count("limits.callsByAccountPerMinute", \.hub.callsByAccountPerMinute, 1...1_000_000),
        .count("limits.callsByGuestPerMinute", \.hub.callsByGuestPerMinute, 1...1_000_000),
        .count("limits.callsByLinkPerMinute", \.hub.callsByLinkPerMinute, 1...1_000_000),
        .count("limits.causedMessagesPerSecond", \.hub.causedMessagesPerSecond, 1...1_000_000),
        .count("limits.causedBytesPerSecond", \.hub.causedBytesPerSecond, 1024...1_073_741_824),
        .count("limits.callsPerDevice", \.hub.callsPerDevice, 1...1_000_000),
        .share("limits.overloadBusyShare", \.hub.overloadBusyShare),
        .count("limits.maximumQueuedMegabytes", \.hub.transport.maximumQueuedMegabytes, 1...1_000_000),
        .count("limits.maximumMessageBytes", \.hub.transport.maximumMessageBytes, 4096...16_777_216),
        .count("limits.maximumQueuedTextBytes", \.hub.transport.maximumQueuedTextBytes, 65_536...268_435_456),
        .count("limits.receiveBufferBytes", \.hub.transport.receiveBufferBytes, 256...65_536),
        .count("limits.notSentLowWaterBytes", \.hub.transport.notSentLowWaterBytes, 1024...1_048_576),
        .count("limits.sendBufferBytes", \.hub.transport.sendBufferBytes, 0...16_777_216),
        .count("limits.maximumRecents", \.hub.accountData.maximumRecents, 1...10_000),
        .count("limits.maximumDirectoryEntries", \.hub.accountData.maximumDirectoryEntries, 1...10_000_000),
        .count("limits.maximumDirectoryMegabytes", \.hub.accountData.maximumDirectoryMegabytes, 1...1_000_000),
        .count(
            "limits.maximumDirectoryMegabytesInAll",
            \.hub.accountData.maximumDirectoryMegabytesInAll,
            1...1_000_000
        ),
        .seconds("limits.directoryLoadTimeoutSeconds", \.hub.accountData.directoryLoadTimeout, 1...3600),

        .textOrNull("http.staticFilesDirectory", \.hub.transport.staticFilesDirectory, "the path of a folder", isPath),
        .texts("http.allowedOrigins", \.hub.transport.allowedOrigins, originRule, isOrigin),
        .texts("http.hosts", \.hub.transport.hosts, "a list of host names such as [\"hub.example.com\"]", isHostName),
        .textOrNull("http.publicURL", \.hub.transport.publicURL, "a URL such as \"https://phone.example.com/\"") {
            $0.wholeMatch(of: /https:\/\/[A-Za-z0-9._\-\[\]:]{1,255}(\/[A-Za-z0-9._~\/-]{0,200})?/) != nil
        },
        .textOrNull("http.pathPrefix", \.hub.transport.pathPrefix, "a path such as \"/callhub\"") {
            $0.wholeMatch(of: /(\/[A-Za-z0-9._~-]+){1,8}/) != nil && !$0.contains("/.")
        },
        .countOrNull("http.redirectPort", \.hub.transport.redirectPort, 0...65_535),
        .addresses("http.trustedProxies", \.hub.transport.trustedProxies),
        .flag("http.proxyProtocol", \.hub.transport.usesProxyProtocol),
        .flag("http.behindProxy", \.hub.transport.isBehindProxy),

        .seconds("drain.graceSeconds", \.hub.drainGrace, 0...3600),
        .seconds("drain.retryJitterSeconds", \.hub.drainRetryJitter, 0...3600),
        .textOrNull("drain.elsewhere", \.hub.drainElsewhere, "a URL such as \"wss://hub2.example.com/v1\"") {
            $0.wholeMatch(of: /wss?:\/\/[A-Za-z0-9._\-\[\]:]{1,255}(\/[!-~]{0,200})?/) != nil
        },

        .addresses("metrics.addresses", \.hub.metrics.addresses),
        .textOrNull("metrics.token", \.hub.metrics.token, "16 to 512 letters, digits, or any of -._~+/=") {
            $0.wholeMatch(of: /[A-Za-z0-9\-._~+\/=]{16,512}/) != nil
        },

        .choice("log.level", \.hub.log.level, LogSettings.Level.allCases.map { ("\($0)", $0) }),
        .choice("log.format", \.hub.log.format, LogSettings.Format.allCases.map { ($0.rawValue, $0) }),

        .textOrNull(
            "recording.eventsFile",
            \.hub.eventsFile,
            "the path of a new or empty file, or of a folder",
            isPath
        ),

        .milliseconds("checks.invariantsMilliseconds", \.hub.invariantCheckInterval, 0...60_000),
        .textOrNull("records.callsFile", \.hub.callsFile, "the path of a file") { !$0.isEmpty && !$0.utf8.contains(0) },

        .textOrNull("node", \.node, NodeName.rule, NodeName.isValid),
    ]

    /// Settings of older versions that have no effect now; a file that has them stays valid.
    ///
    /// HTTP connections are no longer kept alive: each is closed after its answer.
    static let retired: Set<String> = ["http.keepAliveTimeoutSeconds"]

    /// Checks the rules between settings, and returns an error message for each that is broken.
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
        conflicts += conflictsOfTLS(in: settings)
        return conflicts
    }

    private static func conflictsOfTLS(in settings: ServeSettings) -> [String] {
        let transport = settings.hub.transport
        var conflicts: [String] = []
        if settings.tls.names.count > TLSSettings.maximumNames {
            conflicts.append(
                "tls.names has \(settings.tls.names.count) names; it may have \(TLSSettings.maximumNames)."
            )
        }
        if (transport.certificateFile == nil) != (transport.keyFile == nil) {
            let (there, missing) =
                transport.keyFile == nil ? ("tls.certificate", "tls.key") : ("tls.key", "tls.certificate")
            conflicts.append("\(there) is set and \(missing) is not; TLS needs both, without TLS both are null.")
        }
        return conflicts
    }

    /// Indicates that a text has the form of a path.
    private static func isPath(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }

    /// Indicates that a text has the length of a token's issuer or audience.
    private static func isTokenName(_ text: String) -> Bool { (1...1_024).contains(text.utf8.count) }

    private static let issuerRule =
        "an https URL without query and fragment, such as \"https://login.example.com/realms/staff\""

    private static let claimRule = "the name of a claim such as \"email\", of 1 to 256 bytes"

    /// Indicates that a text has the length of a claim's name.
    private static func isClaim(_ text: String) -> Bool { (1...256).contains(text.utf8.count) }

    private static let contactRule =
        "an address such as \"mailto:admin@example.com\" or \"https://example.com/contact\""

    private static let pushServiceRule =
        "a list of host names such as [\"push.example.com\", \"*.example.net\", \"push.example.org:8443\"]"

    private static let hostRule = "an IP address (IPv6 without brackets), a host name of this machine or \"*\""

    /// Indicates that a text has the form of a host name, without scheme and port.
    private static func isHostName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._-]{1,253}/) != nil
    }

    private static let originRule = "a list of origins such as [\"https://phone.example.com\"], without a path"

    /// Indicates that a text is an origin (RFC 6454): scheme, host, and a port that is not the scheme's default.
    private static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /https?:\/\/[A-Za-z0-9._\-\[\]:]{1,255}/) != nil
    }
}
