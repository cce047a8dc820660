package import CommandLineTools
package import HubClient

/// The address of a hub, the trust in its certificate, and the credentials from the environment.
package struct HubAccess {
    package var url: String
    package var verifiesCertificate: Bool
    package var trustedCertificatesFile: String?
    package var password: String?
    package var token: String?

    package static let hub = Option(
        "--hub",
        value: "URL",
        help: "the hub; default ws://localhost:8080/v1, or $CALLHUB_HUB"
    )
    package static let ca = Option(
        "--ca",
        value: "FILE",
        help: "trust the certificates of this PEM file instead of the system's for a wss:// hub"
    )
    package static let insecure = Option("--insecure", help: "accept any certificate of a wss:// hub; for tests only")

    /// Reads the command line, and the credentials, which must not be on one, from the environment.
    package init(_ arguments: Arguments, environment: [String: String]) {
        url = arguments[Self.hub] ?? environment["CALLHUB_HUB"] ?? "ws://localhost:8080/v1"
        verifiesCertificate = !arguments.has(Self.insecure)
        trustedCertificatesFile = arguments[Self.ca]
        password = environment["CALLHUB_PASSWORD"]
        token = environment["CALLHUB_TOKEN"]
    }

    /// The client options with these credentials and certificates.
    package var clientOptions: ClientOptions {
        var options = ClientOptions()
        options.password = password
        options.token = token
        options.verifiesCertificate = verifiesCertificate
        options.trustedCertificatesFile = trustedCertificatesFile
        options.clientVersion = callHubVersion
        return options
    }
}
