package import BenchmarkSupport

/// A self-signed certificate for programs on this machine, with its key, in files that are deleted with it.
package final class Certificate {
    private static let openssl = "/usr/bin/openssl"

    private let certificate: AnonymousFile
    private let key: AnonymousFile

    /// Creates a certificate with ECDSA on P-256, as is usual.
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
            throw BenchmarkError("\(Self.openssl) made no certificate\(maker.lastOutput)")
        }
    }

    /// The path of the certificate's PEM file.
    package var certificatePath: String { certificate.path }
    /// The path of the key's PEM file.
    package var keyPath: String { key.path }
}
