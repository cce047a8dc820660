import CommandLineTools
import Foundation
import HubAccounts
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore

/// `callhub serve`: runs a hub.
enum ServeCommand {
    /// Runs until a signal ends the hub; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            let given = try Arguments(arguments, options: ServeOptions.all)
            guard !given.has(ServeOptions.help) else {
                Console.out(ServeOptions.usage)
                return 0
            }
            return try serve(ready(try ServeOptions.settings(given), data: given[ServeOptions.data]))
        } catch let error as UsageError {
            Console.err("callhub serve: \(error.message)\n")
            return 1
        } catch let error as SettingsError {
            Console.err(error.faults.map { "callhub serve: \($0)\n" }.joined())
            return 1
        } catch {
            Console.err("callhub serve: \(error)\n")
            return 2
        }
    }

    /// Fills in the settings that depend on the machine: node name, web phone folder and database path.
    private static func ready(_ given: ServeSettings, data: String?) throws(ServeError) -> ServeSettings {
        var settings = given
        settings.hub.version = callHubVersion
        settings.hub.recentsRetention = .seconds(86_400 * settings.recentsDays)
        let environment = ProcessInfo.processInfo.environment
        let directory =
            if let data { try DataDirectory(making: data) } else { try DataDirectory(defaultOf: environment) }
        if let name = settings.node {
            settings.hub.node = name
        } else if let name = try directory?.nodeName() {
            settings.hub.node = name
        }
        settings.storagePath = settings.storagePath ?? directory.map { $0.path + "/" + HubStoreFile.name }
        if settings.hub.transport.staticFilesDirectory == nil {
            settings.hub.transport.staticFilesDirectory = WebPhoneFolder.find(program: WebPhoneFolder.program)
        }
        return settings
    }

    /// Runs a hub until it has stopped.
    ///
    /// Blocks only the calling thread: the hub and the signals have threads of their own.
    private static func serve(_ settings: ServeSettings) throws -> Int32 {
        let lines = BackgroundLog()
        defer { lines.finish() }
        var settings = settings
        settings.hub.log.write = { lines.write($0) }
        return try serve(settings, HubLog(settings: settings.hub.log))
    }

    private static func serve(_ given: ServeSettings, _ log: HubLog) throws -> Int32 {
        let (settings, mode) = (given.hub, given.authMode)
        if given.storagePath == nil {
            log(.warning, "nothing outlives this hub: there is no home folder; say where by --data or storage.path")
        }
        let (running, desk) = (Later<HubServer>(), Later<TokenDesk>())
        let book = AccountBook()
        let store = try HubStoreFile.open(given.storagePath ?? ":memory:", settings, log) { change in
            book.take(change.accounts)
            running.use { $0.take(HubStoreFile.listed(change.accounts, mode), erased: change.erased) }
            desk.use { desk in
                let revoked = desk.takeRevokedLinks(change.revokedLinks)
                if let key = change.secrets[GuestLink.secret], desk.takeLinkKey(key) {
                    log(.info, "links revoked")
                    running.use { $0.endGuests() }
                } else if !revoked.isEmpty {
                    log(.info, "link revoked", ["link": revoked.map(\.text).sorted().joined(separator: ", ")])
                    running.use { $0.endGuests(of: revoked) }
                }
            }
        }
        defer { store.close() }
        var services = HubServices()
        services.memory = KeptMemory(store: store)
        let (stored, revokedLinks) = try HubStoreFile.load(store, mode, log) { book.take($0) }
        let tokens = try TokenDesk(given.tokens, linkKey: HubStoreFile.linkKey(store), revokedLinks: revokedLinks)
        desk.give(tokens)
        let cost = PasswordCost(megabytes: given.passwordMegabytes, passes: given.passwordPasses) ?? .standard
        services.doorkeeper = HubDoorkeeper(
            mode,
            store,
            book,
            tokens,
            cost: cost,
            // The rest of the timeout is left for the round trip.
            patience: settings.transport.signInTimeout * 0.8,
            letsAnybodyAdminister: ListenAddress(host: settings.transport.host, port: 0).isLoopback
        )
        let push = try given.push.contact.map { contact throws(ServeError) in
            try HubPush(given.push, contact: contact, store, log)
        }
        defer { push?.stop() }
        services.push = push
        if push != nil, settings.wakeWait == .zero {
            log(.warning, "push.contact is set and wake.waitSeconds is 0: no call waits, so nobody is woken")
        }
        services.reload = { running.use { reload($0, tokens, log) } }
        let server = try HubServer.start(settings, services: services, stored: stored)
        running.give(server)
        let signals = SignalCount()
        let terminal = ControllingTerminal()
        Signals.handle([SIGTERM, SIGINT, SIGHUP]) { signal in
            if signal == SIGHUP, !terminal.isGone { return ServiceManager.tellReload { reload(server, tokens, log) } }
            guard signals.next() == 1 else { return server.stop() }
            ServiceManager.tellStopping(within: settings.drainGrace)
            server.drain()
        }
        let address = ListenAddress(host: settings.transport.host, port: server.port)
        let folder = settings.transport.staticFilesDirectory
        let s = settings.transport.certificateFile == nil ? "" : "s"
        let hasPhone = folder.map(WebPhoneFolder.isPhone) ?? false
        Console.out(
            "CallHub \(settings.version) listens on http\(s)://\(address.urlAuthority) (\(hasPhone ? "web page and " : "")"
                + "WebSocket ws\(s)://\(address.urlAuthority)\(settings.transport.path))\n"
        )
        log(.info, "listening", ["host": address.host, "port": "\(address.port)", "node": settings.node])
        if !hasPhone {
            log(
                .warning,
                "no web page: there is no index.html; set http.staticFilesDirectory",
                ["folder": folder ?? "-"]
            )
        }
        warnOfFewDescriptors(server, wanted: settings.transport.maximumConnections, log)
        if mode == .open, !address.isLoopback {
            log(
                .warning,
                "open to other machines: whoever reaches this hub may call as anybody",
                ["host": address.host]
            )
        }
        ServiceManager.tellReady(status: "Listening on \(address.text).")
        let watchdog = Watchdog(of: server)
        server.waitUntilStopped()
        withExtendedLifetime(watchdog) {}
        log(.info, "stopped")
        return 0
    }
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

/// Handles SIGHUP: reads certificates and token keys again, without disturbing open connections.
private func reload(_ server: HubServer, _ tokens: TokenDesk, _ log: HubLog) {
    server.reload()
    do throws(ServeError) {
        guard let keys = try tokens.reload() else { return }
        log(.info, "token keys reloaded", ["keys": keys.joined(separator: ", ")])
    } catch {
        log(.error, "token keys not reloaded; the old ones stay", ["reason": error.description])
    }
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
