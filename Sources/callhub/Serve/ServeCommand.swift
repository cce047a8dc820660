import CommandLineTools
import Foundation
import HubAccounts
import HubConfiguration
import HubServer

/// `callhub serve`: runs a hub.
enum ServeCommand {
    /// Runs until a signal ends the hub; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        exitCode("serve") {
            let given = try Arguments(arguments, options: ServeOptions.all)
            guard !given.has(ServeOptions.help) else {
                Console.out(ServeOptions.usage)
                return 0
            }
            let settings = try ServeOptions.settings(given)
            return try serve(settings, dataDirectory: given[ServeOptions.data]) { reportStart(of: $0, $1, $2) }
        }
    }

    /// Runs a command that runs a hub, and prints the sentence of its error.
    ///
    /// - Parameters:
    ///   - name: The name of the command.
    ///   - body: The command, which returns its exit code.
    /// - Returns: The process's exit code.
    static func exitCode(_ name: String, _ body: () throws -> Int32) -> Int32 {
        do {
            return try body()
        } catch let error as UsageError {
            Console.err("callhub \(name): \(error.message)\n")
            return 1
        } catch let error as SettingsError {
            Console.err(error.faults.map { "callhub \(name): \($0)\n" }.joined())
            return 1
        } catch {
            Console.err("callhub \(name): \(error)\n")
            return 2
        }
    }

    /// Runs a hub until it has stopped.
    ///
    /// Blocks only the calling thread: the hub and the signals have threads of their own.
    ///
    /// - Parameters:
    ///   - settings: The settings of the command line and the file.
    ///   - dataDirectory: The path of the data directory; nil: the user's default.
    ///   - started: Prints what users are to know of the running hub.
    /// - Returns: The process's exit code.
    /// - Throws: As `ServeSettings.resolve` and `ConfiguredHub.start`.
    static func serve(
        _ settings: ServeSettings,
        dataDirectory: String?,
        started: (ConfiguredHub, ServeSettings, HubLog) -> Void
    ) throws -> Int32 {
        let lines = BackgroundLog()
        defer { lines.finish() }
        var settings = settings
        settings.hub.version = callHubVersion
        try settings.resolve(dataDirectory: dataDirectory)
        settings.hub.log.write = { lines.write($0) }
        let log = HubLog(settings: settings.hub.log)
        if settings.storagePath == nil {
            log(.warning, "no database: there is no home directory; set --data or storage.path to keep data")
        }
        if let fault = ProgramDate.clockFault(at: Date()) { log(.warning, "wrong clock", ["fault": fault]) }
        let hub = try ConfiguredHub.start(settings)
        handleSignals(of: hub, drainGrace: settings.hub.drainGrace)
        if let directory = settings.dataDirectory {
            do {
                try PageAddress.store(PageAddress(of: settings, port: hub.server.port), in: directory)
            } catch {
                log(.warning, "the page's address was not stored for `callhub invite`", ["reason": "\(error)"])
            }
        }
        started(hub, settings, log)
        let address = ListenAddress(host: settings.hub.transport.host, port: hub.server.port)
        log(.info, "listening", ["host": address.host, "port": "\(address.port)", "node": settings.hub.node])
        warnOfMissingPage(settings, log)
        ServiceManager.notifyReady(status: "Listening on \(address.text).")
        let watchdog = Watchdog(of: hub.server)
        hub.waitUntilStopped()
        withExtendedLifetime(watchdog) {}
        log(.info, "stopped")
        return 0
    }

    /// Handles SIGTERM, SIGINT and SIGHUP: the first drains the hub, a second one stops it at once.
    private static func handleSignals(of hub: ConfiguredHub, drainGrace: Duration) {
        let signals = SignalCount()
        let terminal = ControllingTerminal()
        Signals.handle([SIGTERM, SIGINT, SIGHUP]) { signal in
            let name = [SIGTERM: "SIGTERM", SIGINT: "SIGINT"][signal] ?? "SIGHUP"
            if signal == SIGHUP, !terminal.isGone {
                hub.record(signal: name, causing: "server.reload")
                return ServiceManager.notifyReload { hub.reload() }
            }
            guard signals.next() == 1 else { return hub.server.stop() }
            hub.record(signal: name, causing: "server.drain")
            ServiceManager.notifyStopping(within: drainGrace)
            hub.server.drain()
        }
    }

    /// Prints the hub's address, and logs what may be wrong with its settings.
    private static func reportStart(of hub: ConfiguredHub, _ settings: ServeSettings, _ log: HubLog) {
        let transport = settings.hub.transport
        let address = ListenAddress(host: transport.host, port: hub.server.port)
        let s = transport.usesTLS || settings.tls.makesOwn ? "s" : ""
        let hasPhone = transport.staticFilesDirectory.map(BrowserPhoneFolder.containsPhone) ?? false
        Console.out(
            "CallHub \(settings.hub.version) listens on http\(s)://\(address.urlAuthority) "
                + "(\(hasPhone ? "web page and " : "")WebSocket ws\(s)://\(address.urlAuthority)\(transport.path))\n"
        )
        if let authority = hub.authority { reportAuthority(authority, of: hub.server, at: address) }
        warnOfFewDescriptors(hub.server, wanted: transport.maximumConnections, log)
        if settings.authMode == .open, !address.isLoopback {
            log(
                .warning,
                "open to other machines: every client may call as any account",
                ["host": address.host]
            )
        }
    }

    private static func warnOfMissingPage(_ settings: ServeSettings, _ log: HubLog) {
        let folder = settings.hub.transport.staticFilesDirectory
        guard folder.map(BrowserPhoneFolder.containsPhone) != true else { return }
        log(
            .warning,
            "no web page: there is no index.html; set http.staticFilesDirectory",
            ["folder": folder ?? "-"]
        )
    }
}

/// Prints where devices find the hub's own certificate authority, and the fingerprint to compare it by.
private func reportAuthority(_ authority: AuthorityCertificate, of server: HubServer, at address: ListenAddress) {
    let plain = server.redirectPort.map { ListenAddress(host: address.host, port: $0) }
    let page = plain.map { "http://\($0.urlAuthority)" } ?? "https://\(address.urlAuthority)"
    Console.out("Devices trust its certificate after \(page)/trust; SHA-256 \(authority.fingerprint)\n")
}

/// Logs a warning if the process may not open as many files as the settings require.
private func warnOfFewDescriptors(_ server: HubServer, wanted: Int, _ log: HubLog) {
    guard server.maximumConnections < wanted else { return }
    log(
        .warning,
        "fewer connections than limits.maximumConnections: raise ulimit -n (LimitNOFILE), or lower the setting",
        [
            "connections": "\(server.maximumConnections)", "maximumConnections": "\(wanted)",
            "ulimit": "\(server.wantedDescriptors)",
        ]
    )
}

/// Counts the signals that have arrived.
private final class SignalCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
