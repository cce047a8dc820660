package import BenchmarkSupport

/// TLS between the clients of a benchmark and the programs under test, all of which show the same certificate.
package final class Encryption {
    /// The client's side, for all connections.
    package let client: TLSClient
    private let certificate: Certificate

    /// TLS with a self-signed certificate made now.
    package init() throws(BenchmarkError) {
        client = try TLSClient()
        certificate = try Certificate()
    }

    /// The setting of the hub's configuration file that makes it listen for TLS.
    package var hubSettings: String {
        "tls: { certificate: \"\(certificate.certificatePath)\", key: \"\(certificate.keyPath)\" }"
    }

    /// The arguments that make `bare-relay` listen for TLS.
    package var relayArguments: [String] { ["--tls", certificate.certificatePath, certificate.keyPath] }
}
