import CommandLineTools
import HubACME
import HubConfiguration
import HubServer
import HubWire

/// The command line of `callhub serve`.
enum ServeOptions {
    static let config = Option(
        "--config",
        value: "FILE",
        help: "settings in JSON5; config/callhub.json5 lists them all"
    )
    static let listen = Option(
        "--listen",
        value: "HOST:PORT",
        help: "listening address, default 127.0.0.1:8080; [::1]:8080 for IPv6, *:8080 for all;\n"
            + "port 0: chosen by the system"
    )
    static let data = Option(
        "--data",
        value: "DIR",
        help: "the data directory, created if missing: the database, the node's name, its own certificates;\n"
            + "default: $XDG_DATA_HOME/callhub or ~/.local/share/callhub"
    )
    static let domain = Option(
        "--domain",
        value: "NAME",
        help: "a public name that leads to this hub, which gets a certificate for it from Let's Encrypt (or\n"
            + "tls.acme.directory) and renews it; may be repeated. From the Internet the name's port 443\n"
            + "must lead to the hub's port for https, or port 80 to its port for http (http.redirectPort)"
    )
    static let allowOpen = Option(
        "--allow-open",
        help: "allow other machines to connect to a hub in open mode; clients may then call as any account"
    )
    static let behindProxy = Option(
        "--behind-proxy",
        help: "all clients come through a proxy on this machine, which has the certificate (http.behindProxy)"
    )
    static let logLevel = Option("--log-level", value: "LEVEL", help: "error, warning, info (default) or debug")
    static let logFormat = Option(
        "--log-format",
        value: "FORMAT",
        help: "text (default) or json, a line each on standard error"
    )
    static let recordEvents = Option(
        "--record-events",
        value: "FILE",
        help: "write all events of the engine to a new file, for `callhub replay FILE` (no audio, no\n"
            + "passwords); a file that is not empty is refused, in a folder each run creates a file"
    )
    static let checkInvariants = Option(
        "--check-invariants",
        value: "MS",
        help: "check the engine's invariants after an event, at most once in so many milliseconds; violations\n"
            + "are logged and counted; for tests, it costs CPU time"
    )
    static let help = Option("--help", help: "this text")

    static let all = [
        config, listen, data, domain, allowOpen, behindProxy, logLevel, logFormat, recordEvents, checkInvariants, help,
    ]

    static let usage = """
        Usage: callhub serve [OPTIONS]

        Runs a hub. Without options it listens on 127.0.0.1:8080 and requires no password.
        An option overrides the same setting of the file.

        \(Arguments.table(all))
        SIGTERM or SIGINT stops it gracefully: clients are notified, new calls are refused, and current calls have
        drain.graceSeconds (30) to end. A second signal stops it at once. SIGHUP reloads the TLS certificate,
        the token keys and the brand without interrupting calls; a SIGHUP because the terminal was closed stops the hub.

        Exit codes: 0 ended by a signal; 1 invalid option or configuration; 2 it could not start
        (port taken, folder or file not writable, certificate or key invalid).

        """

    /// Reads the settings from a command line and from the file that it names.
    ///
    /// - Throws: `UsageError` for an invalid command line, `SettingsError` for an invalid file, or for settings
    ///   that permit unauthenticated access by mistake.
    static func settings(_ given: Arguments) throws -> ServeSettings {
        if let word = given.words.first { throw UsageError("\(quoted(word)) is not an option; see --help.") }
        var settings =
            try given[config].map { path throws(SettingsError) in try ConfigurationFile.read(path) } ?? .init()
        settings.configurationFile = given[config]
        if let text = given[listen] {
            guard let address = ListenAddress(text) else {
                throw UsageError(
                    "--listen is \(quoted(text)); it must be HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080."
                )
            }
            settings.hub.transport.host = address.host
            settings.hub.transport.port = address.port
        }
        try set("log.level", by: logLevel, given, &settings)
        try set("log.format", by: logFormat, given, &settings)
        try set("recording.eventsFile", by: recordEvents, given, &settings)
        try set("checks.invariantsMilliseconds", by: checkInvariants, given, &settings)
        if given.has(domain) { settings.tls.acme.domains = given.all(domain) }
        if given.has(behindProxy) { settings.hub.transport.isBehindProxy = true }
        if given.has(allowOpen) { settings.allowsOpenBeyondLoopback = true }
        try settings.check()
        return settings
    }

    /// Sets a setting of the table by an option of the command line, if that was given.
    static func set(
        _ path: String,
        by option: Option,
        _ given: Arguments,
        _ settings: inout ServeSettings
    ) throws(UsageError) {
        guard let text = given[option], let setting = SettingsTable.all.first(where: { $0.path == path }) else {
            return
        }
        let values = [.string(text)] + (Double(text).map { [JSON5Value.number($0)] } ?? [])
        guard values.contains(where: { setting.apply($0, &settings) }) else {
            throw UsageError(setting.fault(.string(text), as: option.name))
        }
    }
}
