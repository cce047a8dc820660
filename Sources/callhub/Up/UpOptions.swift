import CommandLineTools
import HubACME
import HubConfiguration
import HubServer
import HubWire

/// The command line of `callhub up`.
enum UpOptions {
    static let data = Option(
        "--data",
        value: "DIR",
        help: "the data directory, created if missing; default: $XDG_DATA_HOME/callhub or\n"
            + "~/.local/share/callhub, and /var/lib/callhub for the service"
    )
    static let port = Option(
        "--port",
        value: "PORT",
        help: "the port for https; default: 443, or 8443 without the right for it; 0: the system chooses.\n"
            + "Behind a proxy the port for http, 8080"
    )
    static let redirectPort = Option(
        "--redirect-port",
        value: "PORT",
        help: "the port for http, which leads to https; default: 80, or 8080 if 80 is taken or needs a right"
    )
    static let domain = ServeOptions.domain
    static let behindProxy = Option(
        "--behind-proxy",
        help: "all clients come through a proxy on this machine, which has the certificate and the name of\n"
            + "--domain"
    )
    static let invite = Option(
        "--invite",
        value: "N",
        help: "print also links for N others, 1 to \(maximumInvitations), each for one account, for a week"
    )
    /// More links than this are made by `callhub invite account`.
    private static let maximumInvitations = 20
    static let qr = Option("--qr", help: "print the QR code although the output is no terminal")
    static let noQR = Option("--no-qr", help: "draw no QR code; the link is printed all the same")
    static let install = Option(
        "--install",
        help: "make a systemd service of it, which starts now and with the machine; needs root. It takes the\n"
            + "place of a package's service, unless that is in use, and reads no /etc/callhub/callhub.json5"
    )
    static let from = Option(
        "--from",
        value: "DIR",
        help: "--install: the data directory of a hub that has ended, whose accounts, certificates and Recents\n"
            + "are copied for the service; without it the service begins without accounts"
    )
    static let logLevel = Option("--log-level", value: "LEVEL", help: "error, warning (default), info or debug")
    static let help = Option("--help", help: "this text")

    static let all = [
        domain, behindProxy, data, port, redirectPort, invite, qr, noQR, install, from, logLevel, help,
    ]

    static let usage = """
        Usage: callhub up [OPTIONS]
               sudo callhub up --install [OPTIONS]

        Runs a hub for others: on all addresses of this machine, with https, and with accounts. It prints the addresses
        under which others reach it, the page on which devices trust its certificate and, until there is an account, a
        link with a QR code for the owner, who chooses name and password there, once. The links for others are made by
        --invite, and by `callhub invite account` in another terminal. Started again it is the same hub, and an owner's
        link that was not used is replaced. A service prints no link: --install does, and later `callhub invite owner`.

        \(Arguments.table(all))
        The certificate is the hub's own, which each device has to trust once, or with --domain a public one.
        `callhub serve --config FILE` is for all other settings.

        Exit codes: 0 ended by a signal; 1 invalid option; 2 it could not start (port taken, folder not writable).

        """

    /// Checks which options are given together.
    ///
    /// - Throws: `UsageError` for options that exclude each other.
    static func checkCombinations(_ given: Arguments) throws(UsageError) {
        if given.has(qr), given.has(noQR) { throw UsageError("--qr and --no-qr exclude each other; give one of them.") }
        if given.has(install), given.has(data) {
            throw UsageError(
                "the service keeps its data in \(ServiceInstaller.dataDirectory); leave --data out, or have the data of "
                    + "another server copied by --from."
            )
        }
        if given.has(install), given.has(invite) {
            throw UsageError(
                "--invite is not for --install; make links to a service by `sudo \(ProgramPath.typed) invite account "
                    + "--data \(ServiceInstaller.dataDirectory)`."
            )
        }
        if given.has(from), !given.has(install) {
            throw UsageError("--from is for --install; name the data directory of this server by --data.")
        }
    }

    /// The settings of the hub: those of `serve`, chosen for others to reach it.
    ///
    /// - Parameters:
    ///   - given: The command line.
    ///   - ports: The ports to listen on.
    /// - Returns: The settings.
    /// - Throws: `UsageError` for an invalid command line, `SettingsError` for a domain that gets no certificate.
    static func settings(_ given: Arguments, _ ports: UpPorts) throws -> ServeSettings {
        var settings = ServeSettings()
        settings.authMode = .accounts
        settings.backup.isInDataDirectory = true
        settings.hub.log.level = .warning
        try ServeOptions.set("log.level", by: logLevel, given, &settings)
        settings.hub.transport.port = ports.secure
        // What the hub does at which time is nobody's business in a network of others.
        settings.hub.metrics.addresses = AddressRange.loopback
        let domains = given.all(domain)
        if given.has(behindProxy) {
            settings.hub.transport.isBehindProxy = true
            settings.hub.transport.hosts = ACMESettings(domains: domains).hostNames
        } else {
            settings.hub.transport.host = "*"
            settings.hub.transport.redirectPort = ports.redirect
            settings.tls.own = true
            settings.tls.acme.domains = domains
        }
        // A name behind another port may be forwarded from 443 or not.
        if let domain = domains.first, given.has(behindProxy) || ports.secure == 443 {
            if let fault = ACMESettings(domains: domains).fault { throw UsageError("--domain: \(fault)") }
            settings.hub.transport.publicURL = ACMESettings(domains: [domain]).hostNames.first.map { "https://\($0)/" }
        }
        try settings.check()
        return settings
    }

    /// Reads the ports of the command line.
    ///
    /// - Parameters:
    ///   - given: The command line.
    ///   - state: Returns the state of a port of this machine.
    /// - Returns: The ports to listen on.
    /// - Throws: `UsageError` for an invalid command line.
    static func ports(_ given: Arguments, state: (Int) -> PortState) throws(UsageError) -> UpPorts {
        if let word = given.words.first { throw UsageError("\(quoted(word)) is not an option; see --help.") }
        let port = try number(port, given)
        guard !given.has(behindProxy) else {
            guard !given.has(redirectPort) else {
                throw UsageError("--redirect-port and --behind-proxy exclude each other; the proxy redirects.")
            }
            return UpPorts(behindProxy: port)
        }
        let ports = UpPorts(secure: port, redirect: try number(redirectPort, given), state: state)
        guard ports.secure != ports.redirect || ports.secure == 0 else {
            throw UsageError("--port and --redirect-port are both \(ports.secure); choose two ports.")
        }
        return ports
    }

    /// The number of links for others that are asked for.
    ///
    /// - Throws: `UsageError` for another number than 1 to 20.
    static func invitations(_ given: Arguments) throws(UsageError) -> Int {
        guard let text = given[invite] else { return 0 }
        guard let number = Int(text), (1...maximumInvitations).contains(number), text.utf8.allSatisfy(isDigit) else {
            throw UsageError(
                "--invite is \(quoted(text)); it must be a whole number from 1 to \(maximumInvitations)."
            )
        }
        return number
    }

    /// The options that a service is started with.
    static func ofService(_ given: Arguments) -> [String] {
        given.all(domain).flatMap { [domain.name, $0] }
            + (given.has(behindProxy) ? [behindProxy.name] : [])
            + [port, redirectPort, logLevel].flatMap { option in given[option].map { [option.name, $0] } ?? [] }
    }

    private static func number(_ option: Option, _ given: Arguments) throws(UsageError) -> Int? {
        guard let text = given[option] else { return nil }
        guard let port = Int(text), (0...65_535).contains(port), text.utf8.allSatisfy(isDigit) else {
            throw UsageError("\(option.name) is \(quoted(text)); it must be a port from 0 to 65535.")
        }
        return port
    }

    /// Indicates an ASCII digit: `Int` reads a sign, too.
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
