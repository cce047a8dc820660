import CommandLineTools
import Foundation
import HubAccounts
import HubCertificates
import HubConfiguration
import HubServer
import HubWire
import OperatorCommands

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
            try UpOptions.checkCombinations(given)
            let ports = try UpOptions.ports(given) { PortState(of: $0) }
            let settings = try UpOptions.settings(given, ports)
            let invitations = try UpOptions.invitations(given)
            guard !given.has(UpOptions.install) else { return try install(given, settings) }
            do {
                return try ServeCommand.serve(settings, dataDirectory: given[UpOptions.data]) { hub, settings, _ in
                    var report = report(of: hub, settings, given, ports)
                    if isService {
                        report.notices += noticesOfService(hub, settings, invitations)
                    } else {
                        inviteOwner(of: hub, settings, given, &report)
                        inviteOthers(invitations, to: hub, &report)
                    }
                    Console.out(report.text)
                }
            } catch TransportError.addressInUse(_, let port) {
                let isRedirect = port == settings.hub.transport.redirectPort
                throw ServeError(
                    portTaken(port, isRedirect ? .redirectPort : given.has(UpOptions.behindProxy) ? .proxied : .secure)
                )
            }
        }
    }

    /// The use of a port that is listened on.
    private enum PortUse: String {
        case secure = "--port 8443, or let a proxy that listens there lead here by --behind-proxy."
        case proxied = "--port 8090."
        case redirectPort = "--redirect-port 8081."
    }

    private static func portTaken(_ port: Int, _ use: PortUse) -> String {
        "port \(port) is taken by another program; stop it (`sudo ss -ltnp sport = :\(port)` names it), or choose another port, as "
            + use.rawValue
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
        let hosts = MachineHosts.ofMachine(domains: domains)
        let isReached = isBehindProxy || MachineHosts.isReached(hosts, domains: domains)
        var report = UpReport(
            version: settings.hub.version,
            access: isBehindProxy
                ? .proxy(name: settings.hub.transport.hosts.first)
                : .direct(hosts: isReached ? hosts : [], redirectPort: hub.server.redirectPort),
            port: hub.server.port,
            fingerprint: domains.isEmpty ? hub.authority?.fingerprint : nil
        )
        report.notices = ports.notices
        if !isReached {
            report.notices.append(
                "This machine has no address in a network, so that nobody else can reach the server: connect it to a "
                    + "network, and start this again."
            )
        }
        if !domains.isEmpty, hub.authority != nil {
            report.notices.append(orderNotice(of: hub.server, settings))
        }
        return report
    }

    /// The sentences about links, which a service does not print.
    private static func noticesOfService(
        _ hub: ConfiguredHub,
        _ settings: ServeSettings,
        _ invitations: Int
    ) -> [String] {
        let data = "--data \(settings.dataDirectory ?? ServiceInstaller.dataDirectory)"
        let command = "sudo \(ProgramPath.typed) invite"
        let owner = "This server has no owner yet; the link for the owner is shown by: \(command) owner \(data)"
        let others = "A service prints no link; those for others are made by: \(command) account \(data)"
        return (hub.needsSetup ? [owner] : []) + (invitations > 0 ? [others] : [])
    }

    /// Indicates a service of systemd: its output is in the journal, which is no place for a secret.
    private static var isService: Bool { ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] != nil }

    /// Adds the link of the owner, if there is none yet, and the way to stay, which is printed when the owner is there.
    private static func inviteOwner(
        of hub: ConfiguredHub,
        _ settings: ServeSettings,
        _ given: Arguments,
        _ report: inout UpReport
    ) {
        let data = settings.dataDirectory.map { URL(filePath: $0).path }
        let ending = "Its data is in \(data ?? "memory"). Ctrl-C ends it"
        let command = ([ProgramPath.typed, "up", "--install"] + UpOptions.ofService(given) + from(data))
            .map(ServiceUnit.word).joined(separator: " ")
        let staying = "to keep it running, also after a restart of the machine:\n\n  sudo \(command)"
        report.ending = "\(ending); \(staying)"
        do {
            guard let owner = try hub.inviteOwner(by: .commandLine) else { return }
            report.owner = UpReport.OwnerLink(secret: owner.secret) { link in
                given.has(UpOptions.noQR) ? "" : Terminal.qrCode(link, isForced: given.has(UpOptions.qr))
            }
            report.ending = ending + "."
            hub.whenSetUp { name in
                Console.out("\(visible(name)) owns this server now. End it by Ctrl-C, and \(staying)\n")
            }
        } catch {
            report.notices.append("No link for the owner could be made: \(error)")
        }
    }

    /// Adds links for others, as many as are asked for.
    private static func inviteOthers(_ number: Int, to hub: ConfiguredHub, _ report: inout UpReport) {
        do {
            for _ in 0..<number { report.invitations.append(try hub.inviteToAccount(by: .commandLine).secret) }
        } catch {
            report.notices.append("No link for others could be made: \(error)")
        }
    }

    /// The option by which a service takes the data of this hub over.
    private static func from(_ data: String?) -> [String] { data.map { [UpOptions.from.name, $0] } ?? [] }

    /// The sentence about a certificate that is not issued yet.
    private static func orderNotice(of server: HubServer, _ settings: ServeSettings) -> String {
        let data = settings.dataDirectory.map { " --data \(ServiceUnit.word($0))" } ?? ""
        let command = (getuid() == 0 ? "sudo " : "") + "\(ProgramPath.typed) certificate show\(data)"
        var text = "The certificate is being ordered: `\(command)` says how far it is, and what to do."
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
        let installer = ServiceInstaller()
        do {
            let outcome = try installer.install(UpOptions.ofService(given), from: given[UpOptions.from])
            Console.out(sentence(about: outcome, installer.unitPath) + "\n")
        } catch let failure as CommandFailure {
            throw ServeError(failure.message)
        }
        Console.out("Its data is in \(ServiceInstaller.dataDirectory); its log: journalctl -u callhub\n")
        try reportOwner(given)
        return 0
    }

    private static func sentence(about outcome: ServiceInstaller.Outcome, _ unitPath: String) -> String {
        switch outcome {
        case .written: "\(unitPath) was written, and the service callhub runs."
        case .same: "The service callhub runs; its unit \(unitPath) was there."
        }
    }

    /// Prints the link for the owner of the running service, if it has none, and its address.
    private static func reportOwner(_ given: Arguments) throws {
        let directory = ServiceInstaller.dataDirectory
        let command = "sudo \(ProgramPath.typed) invite owner --data \(directory)"
        do {
            guard let owner = try InviteCommand.ownerLink(in: directory) else {
                let page = PageAddress.read(in: directory)
                Console.out(page.map { "Others open \($0.url)\n" } ?? "")
                return
            }
            let drawing =
                given.has(UpOptions.noQR) ? "" : Terminal.qrCode(owner.link, isForced: given.has(UpOptions.qr))
            Console.out("\n" + UpReport.text(ofOwner: owner.link, drawing: drawing))
            Console.out("\nA new one: \(command)\n")
        } catch let failure as CommandFailure {
            Console.err("callhub up: no link for the owner was made: \(failure.message) Try: \(command)\n")
        }
    }
}
