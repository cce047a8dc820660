import CommandLineTools
import Foundation
import HubAccounts
import HubCertificates
import HubConfiguration
import HubServer

/// `callhub up`: `callhub serve` with settings chosen for others to reach the hub, and with what they need printed.
enum UpCommand {
    /// Runs until a signal ends the hub; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        ServeCommand.exitCode("up") {
            let given = try Arguments(arguments, options: UpOptions.all)
            guard !given.has(UpOptions.help) else {
                Console.out(UpOptions.usage)
                return 0
            }
            let ports = try UpOptions.ports(given) { PortState(of: $0) }
            let settings = try UpOptions.settings(given, ports)
            guard !given.has(UpOptions.install) else { return try install(given, settings) }
            do {
                return try ServeCommand.serve(settings, dataDirectory: given[UpOptions.data]) { hub, settings, _ in
                    Console.out(report(of: hub, settings, given, ports).text)
                }
            } catch TransportError.addressInUse(_, let port) {
                throw ServeError(portTaken(port, isBehindProxy: given.has(UpOptions.behindProxy)))
            }
        }
    }

    private static func portTaken(_ port: Int, isBehindProxy: Bool) -> String {
        "port \(port) is taken by another program; stop it (`sudo ss -ltnp sport = :\(port)` names it), or choose another port, as "
            + (isBehindProxy
                ? "--port 8090." : "--port 8443, or let a proxy that listens there lead here by --behind-proxy.")
    }

    /// Describes a running hub.
    private static func report(
        of hub: ConfiguredHub,
        _ settings: ServeSettings,
        _ given: Arguments,
        _ ports: UpPorts
    ) -> UpReport {
        let domains = given.all(UpOptions.domain)
        let isBehindProxy = given.has(UpOptions.behindProxy)
        var report = UpReport(
            version: settings.hub.version,
            access: isBehindProxy
                ? .proxy(name: settings.hub.transport.hosts.first)
                : .direct(hosts: UpHosts.ofMachine(domains: domains), redirectPort: hub.server.redirectPort),
            port: hub.server.port,
            fingerprint: domains.isEmpty ? hub.authority?.fingerprint : nil
        )
        report.notices = ports.notices
        if !domains.isEmpty, hub.authority != nil {
            report.notices.append(orderNotice(of: hub.server, given))
        }
        // A service's output is in the journal, which is no place for a secret, and has its own way to end.
        guard ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] == nil else { return report }
        report.ending =
            "Its data is in \(settings.dataDirectory ?? "memory"). Ctrl-C ends it; to keep it running, also after a restart "
            + "of the machine:\n\n  sudo \(ProgramPath.typed) up --install"
        return report
    }

    /// The sentence about a certificate that is not issued yet.
    private static func orderNotice(of server: HubServer, _ given: Arguments) -> String {
        let data = given[UpOptions.data].map { " --data \($0)" } ?? ""
        var text =
            "The certificate is being ordered: `callhub certificate show\(data)` says how far it is, and what to do."
        if server.port != 443 {
            text += "\nFor it the name's port 443 must lead to port \(server.port)"
            text += server.redirectPort.map { ", or its port 80 to port \($0)." } ?? "."
        }
        return text
    }
}

/// `callhub up --install`.
extension UpCommand {
    /// Makes the service, and prints what users are to know of it.
    private static func install(_ given: Arguments, _ settings: ServeSettings) throws -> Int32 {
        guard !given.has(UpOptions.data) else {
            throw UsageError("the service keeps its data in \(ServiceInstaller.dataDirectory); leave --data out.")
        }
        do {
            return try install(ServiceInstaller(), given, settings)
        } catch let failure as CommandFailure {
            throw ServeError(failure.message)
        }
    }

    private static func install(
        _ installer: ServiceInstaller,
        _ given: Arguments,
        _ settings: ServeSettings
    ) throws -> Int32 {
        let outcome = try installer.install(UpOptions.ofService(given))
        let sentence =
            switch outcome {
            case .written: "\(installer.unitPath) was written, and the service callhub runs."
            case .same: "The service callhub runs; its unit \(installer.unitPath) was there."
            case .packaged(let path): "The service callhub runs, by the package's unit \(path), whose options it has."
            }
        Console.out(sentence + "\n")
        Console.out("Its data is in \(ServiceInstaller.dataDirectory); its log: journalctl -u callhub\n")
        return 0
    }
}
