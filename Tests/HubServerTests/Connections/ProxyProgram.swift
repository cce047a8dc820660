import Foundation
import HubTestSupport

/// A proxy of Debian's in front of a hub, with its configuration of `config/proxies` and the ports of a test.
struct ProxyProgram: Sendable {
    /// The name of the configuration file.
    let file: String
    /// The path of the program.
    let path: String
    /// The arguments, with `%` for the configuration's path.
    let arguments: [String]
    /// The configuration around the file: `%` is its path, `#` the folder of the test, `@` the port.
    let main: String

    static let caddy = ProxyProgram(
        file: "Caddyfile",
        path: "/usr/bin/caddy",
        arguments: ["run", "--adapter", "caddyfile", "--config", "%"],
        main: "{\nadmin off\nauto_https off\n}\nimport %\n"
    )

    static let nginx = ProxyProgram(
        file: "nginx.conf",
        path: "/usr/sbin/nginx",
        arguments: ["-e", "stderr", "-c", "%"],
        main: """
            daemon off; master_process off; pid #/pid; error_log stderr;
            events {}
            http {
                access_log off; client_body_temp_path #/body; proxy_temp_path #/proxy; fastcgi_temp_path #/fastcgi;
                uwsgi_temp_path #/uwsgi; scgi_temp_path #/scgi;
                include %;
            }
            """
    )

    static let haproxy = ProxyProgram(
        file: "haproxy.cfg",
        path: "/usr/sbin/haproxy",
        arguments: ["-db", "-f", "%"],
        main: ""
    )

    /// HAProxy as a proxy of TCP: the hub has the certificate.
    static let haproxyTCP = ProxyProgram(
        file: "haproxy-tcp.cfg",
        path: "/usr/sbin/haproxy",
        arguments: ["-db", "-f", "%"],
        main: ""
    )

    static let apache = ProxyProgram(
        file: "apache.conf",
        path: "/usr/sbin/apache2",
        arguments: ["-X", "-f", "%"],
        main: """
            ServerName localhost
            ServerRoot #
            PidFile #/pid
            ErrorLog /dev/stderr
            Mutex file:#
            DefaultRuntimeDir #
            \(["mpm_event", "authz_core", "proxy", "proxy_http", "ssl", "headers"].map {
                    "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
                }.joined(separator: "\n"))
            Listen @
            Include %
            """
    )

    /// Indicates that the program is installed.
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Starts the program, and waits until it answers by https.
    ///
    /// - Parameters:
    ///   - hub: The port of the hub at ::1.
    ///   - certificate: The certificate that the proxy shows.
    ///   - folder: The folder of its files.
    /// - Returns: The proxy.
    /// - Throws: Any error of the file system or of starting it, or ``Silent`` without an answer by https within 20 s.
    func start(
        hub: Int,
        _ certificate: TestCertificate,
        in folder: TemporaryFolder
    ) throws -> RunningProxy {
        let port = try FreePort.find()
        var text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let both =
            try Data(contentsOf: URL(filePath: certificate.file)) + Data(contentsOf: URL(filePath: certificate.key))
        try both.write(to: URL(filePath: folder.path + "/haproxy.pem"))
        // What an operator adapts: names, ports and the certificate's files.
        let site = "calls.example.org {"
        for (old, new) in [
            ("127.0.0.1:8080", "[::1]:\(hub)"), ("127.0.0.1:8443", "[::1]:\(hub)"),
            (":443", ":\(port)"), ("listen 443", "listen \(port)"),
            (
                site,
                "https://localhost:\(port), https://127.0.0.1:\(port) {\ntls \(certificate.file) \(certificate.key)"
            ),
            ("/etc/ssl/callhub/fullchain.pem", certificate.file), ("/etc/ssl/callhub/privkey.pem", certificate.key),
            ("/etc/ssl/callhub/haproxy.pem", folder.path + "/haproxy.pem"),
        ] {
            text = text.replacing(old, with: new)
        }
        let part = try folder.write(text, to: "proxies/" + file)
        var configuration = part
        if !main.isEmpty {
            let text = main.replacing("%", with: part).replacing("#", with: folder.path)
            configuration = try folder.write(text.replacing("@", with: "\(port)"), to: "main.conf")
        }
        let arguments = arguments.map { $0 == "%" ? configuration : $0 }
        let program = try Program(arguments, program: path, in: folder, withErrors: true)
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do {
                // A proxy may listen before it has its certificate.
                let socket = try RawSocket(port: port)
                try socket.startTLS()
                try socket.send("GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                _ = try HTTPReply(from: socket)
                return RunningProxy(program, port: port)
            } catch {
                guard ContinuousClock.now < end else { throw Silent(description: "\(file): \(program.printed)") }
            }
        }
    }

    /// A proxy that does not answer.
    struct Silent: Error, CustomStringConvertible {
        let description: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/proxies").standardizedFileURL
}

/// A proxy that listens, until it is released.
final class RunningProxy: @unchecked Sendable {
    /// The port of the proxy.
    let port: Int
    private let program: Program

    init(_ program: Program, port: Int) {
        self.program = program
        self.port = port
    }

    /// The output of the proxy so far.
    var printed: String { program.printed }
}
