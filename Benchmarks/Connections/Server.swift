import BenchmarkClient
import BenchmarkSupport

/// A program whose connections are measured, in clear or under TLS.
struct Server {
    /// The name in tables.
    var name: String
    /// True for a hub, whose clients sign in; false for a relay.
    var isHub: Bool
    /// The path of the program.
    var path: String
    /// Its arguments.
    var arguments: [String]
    /// The client's side of its TLS; nil in clear.
    var tls: TLSClient?
    /// The configuration file that its arguments name, kept as long as the server may be started.
    var file: AnonymousFile?

    /// The hub and the bare libwebsockets relay, each in clear and under TLS.
    static func all(_ options: Options, _ certificate: Certificate) throws(BenchmarkError) -> [Server] {
        let client = try TLSClient()
        let (pem, key) = (certificate.certificatePath, certificate.keyPath)
        let settings = #"tls: { certificate: "\#(pem)", key: "\#(key)" }"#
        let relay = options.folder + "/bare-relay"
        return [
            try hub("callhub", tls: nil, settings: "", options),
            Server(name: "bare-relay", isHub: false, path: relay, arguments: []),
            try hub("callhub, TLS", tls: client, settings: settings, options),
            Server(name: "bare-relay, TLS", isHub: false, path: relay, arguments: ["--tls", pem, key], tls: client),
        ]
    }

    private static func hub(
        _ name: String,
        tls: TLSClient?,
        settings: String,
        _ options: Options
    ) throws(BenchmarkError) -> Server {
        let file = try HubSettings.file(settings)
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--log-level", "warning", "--config", file.path]
        return Server(
            name: name,
            isHub: true,
            path: options.hub,
            arguments: arguments + options.hubArguments,
            tls: tls,
            file: file
        )
    }

    /// Starts the program.
    func start() throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(path: path, arguments: arguments)
    }
}

/// Returns an address of this machine to connect from.
///
/// Each has 28,000 ports of its own, and no server sees all clients come from one address.
func source(_ number: Int) -> String {
    "127.0.1.\(1 + number % 200)"
}
