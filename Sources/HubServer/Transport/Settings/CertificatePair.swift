import COpenSSL
import CUV
import Foundation

/// A TLS certificate chain and its private key, read from two PEM files and checked to match.
///
/// Safe on any thread: OpenSSL counts references to its contents atomically, and nothing changes them.
final class CertificatePair: @unchecked Sendable {
    /// The end of the certificate's validity (notAfter); nil if it cannot be read.
    let expires: Date?

    private let pair: OpaquePointer

    /// Reads a certificate chain and its key.
    ///
    /// - Parameters:
    ///   - certificate: The path of a PEM file: the hub's certificate first, then the intermediates, without the root.
    ///   - key: The path of a PEM file with the private key, without a passphrase.
    /// - Throws: ``TransportError/certificate(_:)`` with the file concerned and the reason.
    init(certificate: String, key: String) throws(TransportError) {
        for path in [certificate, key] {
            if let reason = Self.unreadable(path) { throw .certificate("\(path) cannot be read: \(reason).") }
        }
        var loaded: OpaquePointer?
        let outcome = hub_tls_load(certificate, key, &loaded)
        guard outcome == HUB_TLS_LOADED, let loaded else {
            throw .certificate(Self.sentence(outcome, certificate: certificate, key: key))
        }
        pair = loaded
        let seconds = hub_tls_not_after(loaded)
        expires = seconds > 0 ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
    }

    deinit {
        hub_tls_free(pair)
    }

    /// Uses the certificate for new handshakes of a context; open connections and current handshakes keep the old one.
    ///
    /// - Parameter context: The `SSL_CTX` of a loop; to be called on the loop's thread.
    /// - Returns: False if OpenSSL refuses; then the context is unchanged.
    func install(in context: OpaquePointer) -> Bool {
        hub_tls_install(context, pair) == 1
    }

    /// The end of the certificate's validity in ISO 8601 for the log; `-` if unknown.
    var expiry: String { expires?.formatted(.iso8601) ?? "-" }

    private static func unreadable(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            return "it is no file"
        }
        return nil
    }

    private static func sentence(_ outcome: hub_tls_outcome, certificate: String, key: String) -> String {
        switch outcome {
        case HUB_TLS_BAD_CERTIFICATE:
            "\(certificate) holds no certificate; it must be PEM text that begins with the hub's own."
        case HUB_TLS_BAD_KEY:
            "\(key) holds no private key; it must be PEM text."
        case HUB_TLS_ENCRYPTED_KEY:
            "\(key) has a passphrase; give a key without one, which only the hub's user may read."
        case HUB_TLS_MISMATCH:
            "\(key) is not the key of \(certificate); give the two files of one certificate."
        default:
            "OpenSSL has no memory left for \(certificate)."
        }
    }
}

/// The TLS settings that all contexts of this process share.
enum TransportSecurity {
    /// Configures a new context of libwebsockets for TLS 1.2 and 1.3 with a certificate.
    ///
    /// - Parameters:
    ///   - context: The `SSL_CTX` to be configured.
    ///   - pair: The certificate and key to be presented to clients.
    /// - Returns: False if OpenSSL refuses.
    static func setUp(_ context: OpaquePointer, with pair: CertificatePair) -> Bool {
        var keys = [UInt8](repeating: 0, count: max(Int(hub_tls_ticket_key_bytes(context)), 0))
        for index in keys.indices { keys[index] = ticketKeys[index % ticketKeys.count] }
        hub_tls_configure(context, &keys, keys.count)
        return pair.install(in: context)
    }

    /// The session ticket keys, one set per process, as a returning client may reach another loop than before.
    private static let ticketKeys: [UInt8] = (0..<128).map { _ in UInt8.random(in: .min ... .max) }
}
