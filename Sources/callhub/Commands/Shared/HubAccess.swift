import HubClient

/// Where a hub is, how its certificate is looked at, and what is shown at its door.
struct HubAccess {
    var url: String
    var verifiesCertificate: Bool
    var trustedCertificates: String?
    var password: String?
    var token: String?

    static let hub = Option("--hub", value: "URL", help: "the hub; default ws://localhost:8080/v1, or $CALLHUB_HUB")
    static let ca = Option(
        "--ca",
        value: "FILE",
        help: "trust the certificates of this PEM file, in place of the system's, to vouch for a wss:// hub"
    )
    static let insecure = Option("--insecure", help: "take any certificate of a wss:// hub; for try-outs only")

    /// Reads the command line, and what is too secret for one from the environment.
    init(_ arguments: Arguments, environment: [String: String]) {
        url = arguments[Self.hub] ?? environment["CALLHUB_HUB"] ?? "ws://localhost:8080/v1"
        verifiesCertificate = !arguments.has(Self.insecure)
        trustedCertificates = arguments[Self.ca]
        password = environment["CALLHUB_PASSWORD"]
        token = environment["CALLHUB_TOKEN"]
    }

    /// What a client of such a hub begins with.
    var clientOptions: ClientOptions {
        var options = ClientOptions()
        options.password = password
        options.token = token
        options.verifiesCertificate = verifiesCertificate
        options.trustedCertificates = trustedCertificates
        options.clientVersion = callHubVersion
        return options
    }
}
