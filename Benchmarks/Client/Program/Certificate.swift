package import BenchmarkSupport

/// A certificate of its own making for programs on this machine, with its key, in files that go away with it.
package final class Certificate {
    private static let openssl = "/usr/bin/openssl"

    private let certificate: AnonymousFile
    private let key: AnonymousFile

    /// A new one, ECDSA on P-256, as most have now.
    package init() throws(BenchmarkError) {
        certificate = try AnonymousFile("")
        key = try AnonymousFile("")
        let maker = try ChildProcess(
            path: Self.openssl,
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-keyout", key.path, "-out", certificate.path,
            ]
        )
        guard maker.succeeds() else {
            throw BenchmarkError("\(Self.openssl) made no certificate\(maker.lastWords)")
        }
    }

    /// The PEM file of the certificate.
    package var certificatePath: String { certificate.path }
    /// The PEM file of its key.
    package var keyPath: String { key.path }
}
