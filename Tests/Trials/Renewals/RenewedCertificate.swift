import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc
import HubTestSupport

/// A certificate of one kind that a trial replaces, and the programs that it comes from.
final class RenewedCertificate {
    /// The kinds of certificates.
    enum Kind: String, CaseIterable {
        /// Made by the hub under its own authority (`tls.own`).
        case own
        /// Read from files at SIGHUP (`tls.certificate`).
        case file
        /// Ordered of an ACME server (`tls.acme`), which issues certificates of a few seconds.
        case acme
    }

    let kind: Kind
    private let options: TrialOptions
    private let folder: TrialFolder
    private var servers: [ChildProcess] = []
    private var port = 0

    init(_ kind: Kind, _ options: TrialOptions) throws(BenchmarkError) {
        (self.kind, self.options) = (kind, options)
        folder = try TrialFolder()
        switch kind {
        case .own: break
        case .file: try source.makeFiles()
        case .acme: try startAuthority()
        }
    }

    deinit {
        for server in servers { server.end(SIGKILL) }
    }

    /// The part that another thread uses.
    var source: Source { Source(kind: kind, hub: options.hub, folder: folder.path) }

    /// Starts the hub, and waits until it shows a certificate of the kind.
    func startHub() throws(BenchmarkError) -> TrialHub {
        let tls =
            switch kind {
            case .own: "own: true"
            case .file: "certificate: '\(folder("cert.pem"))', key: '\(folder("key.pem"))'"
            case .acme:
                "acme: {domains: ['\(Source.name)'], directory: 'https://localhost:\(servers.isEmpty ? 0 : authorityPort)/dir', "
                    + "certificateAuthority: '\(folder("cert.pem"))'}"
            }
        let hub = try TrialHub(options, configuration: "{tls: {\(tls)}}", folder: folder, port: port)
        if kind == .acme {
            let deadline = monotonicNanoseconds() + 30_000_000_000
            while try !source.shown(at: hub.address, as: "issuer=").contains("Pebble") {
                guard monotonicNanoseconds() < deadline else {
                    throw BenchmarkError("the hub got no certificate of pebble's\(hub.child.lastOutput)")
                }
            }
        }
        return hub
    }

    private var authorityPort = 0

    /// Starts pebble, the ACME server, with a DNS server that leads each name to this machine.
    private func startAuthority() throws(BenchmarkError) {
        try source.makeFiles()
        port = try Self.freePort()
        authorityPort = try Self.freePort()
        let (names, closed) = (try Self.freePort(), try Self.freePort())
        let settings = """
            {"pebble": {"listenAddress": "127.0.0.1:\(authorityPort)", "managementListenAddress": "",
            "certificate": "\(folder("cert.pem"))", "privateKey": "\(folder("key.pem"))", "httpPort": \(closed),
            "tlsPort": \(port), "certificateValidityPeriod": 12}}
            """
        let file = try folder.write(settings, to: "pebble.json")
        servers.append(
            try ChildProcess(
                path: "/usr/bin/pebble-challtestsrv",
                arguments: [
                    "-http01", "", "-https01", "", "-tlsalpn01", "", "-management", "", "-defaultIPv6", "", "-dns01",
                    "127.0.0.1:\(names)",
                ]
            )
        )
        servers.append(
            try ChildProcess(
                path: "/usr/bin/pebble",
                arguments: ["-config", file, "-dnsserver", "127.0.0.1:\(names)"],
                environment: ["PEBBLE_VA_NOSLEEP": "1", "PEBBLE_AUTHZREUSE": "100", "PEBBLE_WFE_NONCEREJECT": "0"]
            )
        )
        _ = try servers[1].waitForAddress()
    }

    private static func freePort() throws(BenchmarkError) -> Int {
        do { return try FreePort.find() } catch { throw BenchmarkError(error.description) }
    }
}

extension RenewedCertificate {
    /// The actions that replace a certificate and look at it.
    struct Source: Sendable {
        /// The name of the certificate by ACME.
        static let name = "calls.example.org"

        let kind: Kind
        /// The path of the hub's program.
        let hub: String
        let folder: String

        /// Replaces the certificate of a running hub; one by ACME is renewed by the hub itself.
        ///
        /// - Parameter process: The process ID of the hub.
        /// - Throws: `BenchmarkError` if a program cannot be started.
        func replace(_ process: pid_t) throws(BenchmarkError) {
            switch kind {
            case .own: try run(hub, ["certificate", "renew", "--data", folder])
            case .file: try makeFiles()
            case .acme: return
            }
            kill(process, SIGHUP)
        }

        /// Makes a certificate and a key as files.
        func makeFiles() throws(BenchmarkError) {
            let words =
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost -addext "
                + "subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout \(folder)/key.pem.new -out \(folder)/cert.pem.new"
            try run("/usr/bin/openssl", words.split(separator: " ").map(String.init))
            for name in ["key.pem", "cert.pem"] { rename("\(folder)/\(name).new", "\(folder)/\(name)") }
        }

        /// Returns what a new connection is shown: the certificate, or a line about it.
        ///
        /// - Parameters:
        ///   - address: The address of the hub.
        ///   - part: The word of the line; nil: the certificate.
        /// - Returns: The certificate in base64, or the line.
        /// - Throws: `BenchmarkError` if there is no certificate.
        func shown(at address: ListeningAddress, as part: String? = nil) throws(BenchmarkError) -> String {
            let printed = try run(
                "/usr/bin/openssl",
                ["s_client", "-connect", "\(address.host):\(address.port)", "-servername", Self.name]
            )
            if let part { return String(printed.split(separator: "\n").first { $0.contains(part) } ?? "") }
            let parts = printed.split(separator: "-----", omittingEmptySubsequences: false)
            guard let begin = parts.firstIndex(of: "BEGIN CERTIFICATE"), begin + 1 < parts.count else {
                throw BenchmarkError("a new connection was shown no certificate:\n\(printed.suffix(500))")
            }
            return String(parts[begin + 1])
        }

        /// Waits until new connections are shown another certificate than the last one.
        func waitForChange(of last: String, at address: ListeningAddress) throws(BenchmarkError) -> String {
            let deadline = monotonicNanoseconds() + 30_000_000_000
            while monotonicNanoseconds() < deadline {
                let now = try shown(at: address)
                if now != last { return now }
                usleep(50_000)
            }
            throw BenchmarkError("new connections see the old certificate (\(kind.rawValue)) after 30 s")
        }

        @discardableResult
        private func run(_ program: String, _ arguments: [String]) throws(BenchmarkError) -> String {
            let child = try ChildProcess(path: program, arguments: arguments)
            _ = child.succeeds()
            return child.printed
        }
    }
}
