import CommandLineTools
import HubClient

/// The address of a hub, the trust in its certificate, and the credentials from the environment.
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

    /// Reads the command line, and the credentials, which must not be on one, from the environment.
    init(_ arguments: Arguments, environment: [String: String]) {
        url = arguments[Self.hub] ?? environment["CALLHUB_HUB"] ?? "ws://localhost:8080/v1"
        verifiesCertificate = !arguments.has(Self.insecure)
        trustedCertificates = arguments[Self.ca]
        password = environment["CALLHUB_PASSWORD"]
        token = environment["CALLHUB_TOKEN"]
    }

    /// The client options with these credentials and certificates.
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
