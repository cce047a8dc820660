import COpenSSL
import Foundation

/// A TLS certificate with its chain and its key, read from two PEM files and held against each other.
///
/// Safe on any thread: OpenSSL counts references to what is in it by atomics, and nothing changes it.
final class CertificatePair: @unchecked Sendable {
    /// When the certificate ends; nil if it does not say so in a way that can be read.
    let expires: Date?

    private let pair: OpaquePointer

    /// Reads a pair.
    ///
    /// - Parameters:
    ///   - certificate: The path of a PEM file: the hub's own first, then those up to, but without, the root.
    ///   - key: The path of a PEM file without a passphrase.
    /// - Throws: ``TransportError/certificate(_:)`` with what is wrong with which file.
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

    /// Has new handshakes of a context use it; those under way and open connections keep what they began with.
    ///
    /// - Parameter context: OpenSSL's, of a loop; on the loop's thread.
    /// - Returns: False when OpenSSL would not; then the context is as it was.
    func install(in context: OpaquePointer) -> Bool {
        hub_tls_install(context, pair) == 1
    }

    /// When the certificate ends, for the log.
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

/// What all TLS contexts of this process have in common.
enum TransportSecurity {
    /// Makes a fresh context of the library's speak TLS 1.2 and 1.3 with this pair.
    ///
    /// - Parameters:
    ///   - context: OpenSSL's.
    ///   - pair: What it shows to clients.
    /// - Returns: False when OpenSSL refuses.
    static func setUp(_ context: OpaquePointer, with pair: CertificatePair) -> Bool {
        var keys = [UInt8](repeating: 0, count: max(Int(hub_tls_ticket_key_bytes(context)), 0))
        for index in keys.indices { keys[index] = ticketKeys[index % ticketKeys.count] }
        hub_tls_configure(context, &keys, keys.count)
        return pair.install(in: context)
    }

    /// One for the process: a client that comes back may meet another loop than the one it has its ticket from.
    private static let ticketKeys: [UInt8] = (0..<128).map { _ in UInt8.random(in: .min ... .max) }
}
