import COpenSSL
import CUV
import Foundation

/// A TLS certificate chain and its private key, read from PEM and checked to match.
///
/// Safe on any thread: OpenSSL counts references to its contents atomically, and nothing changes them.
final class CertificatePair: @unchecked Sendable {
    /// The end of the certificate's validity in seconds since 1970; 0 if it cannot be read.
    let endSeconds: Int

    /// The origin of the certificate.
    let origin: ServerCertificate

    /// The `SSL_CTX` that holds certificate and key, valid as long as this object.
    let pair: OpaquePointer

    /// Reads a certificate chain and its key.
    ///
    /// - Parameter origin: The files, or the certificate itself.
    /// - Throws: ``TransportError/certificate(_:)`` with the file concerned and the reason.
    init(_ origin: ServerCertificate) throws(TransportError) {
        let (chain, key, names) = try Self.text(of: origin)
        var loaded: OpaquePointer?
        let outcome = chain.withUnsafeBufferPointer { chain in
            key.withUnsafeBufferPointer { key in
                hub_tls_load(
                    UnsafeRawPointer(chain.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: chain.count),
                    UnsafeRawPointer(key.baseAddress)?.assumingMemoryBound(to: CChar.self),
                    Int32(clamping: key.count),
                    &loaded
                )
            }
        }
        guard outcome == HUB_TLS_LOADED, let loaded else {
            throw .certificate(Self.sentence(outcome, certificate: names.certificate, key: names.key))
        }
        self.origin = origin
        pair = loaded
        endSeconds = Int(clamping: max(hub_tls_not_after(loaded), 0))
    }

    deinit {
        hub_tls_free(pair)
    }

    /// Makes the certificate the one of a context itself, for libraries that look at it.
    ///
    /// - Parameter context: The `SSL_CTX` of a loop; to be called on the loop's thread.
    func install(in context: OpaquePointer) { hub_tls_install(context, pair) }

    /// Uses the certificate to answer a challenge in one handshake (RFC 8737).
    ///
    /// - Parameter session: The `SSL` whose client's first message has been received.
    /// - Returns: False if OpenSSL refuses.
    func answerChallenge(in session: OpaquePointer) -> Bool { hub_tls_answer_challenge(session, pair) == 1 }

    /// The end of the certificate's validity in ISO 8601 for the log; `-` if unknown.
    var expiry: String {
        endSeconds == 0 ? "-" : Date(timeIntervalSince1970: TimeInterval(endSeconds)).formatted(.iso8601)
    }

    private typealias Names = (certificate: String, key: String)

    private static func text(of origin: ServerCertificate) throws(TransportError) -> ([UInt8], [UInt8], Names) {
        switch origin {
        case .files(let certificate, let key): (try content(certificate), try content(key), (certificate, key))
        case .acme(let pem), .own(let pem, _):
            (Array(pem.chain.utf8), Array(pem.key.utf8), ("the certificate", "its key"))
        }
    }

    /// The largest size of a file in bytes; a chain of ten certificates has a hundredth of it.
    private static let maximumBytes = 1 << 20

    private static func content(_ path: String) throws(TransportError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        func fault(_ reason: String) -> TransportError { .certificate("\(path) cannot be read: \(reason).") }
        guard descriptor >= 0 else { throw fault(String(cString: strerror(errno))) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw fault("it is no file")
        }
        guard information.st_size <= maximumBytes else { throw fault("it is larger than 1 MB") }
        do {
            return [UInt8](try file.read(upToCount: maximumBytes) ?? Data())
        } catch {
            throw fault(error.localizedDescription)
        }
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
    /// Configures a new context of libwebsockets for TLS 1.2 and 1.3.
    ///
    /// - Parameters:
    ///   - context: The `SSL_CTX` to be configured.
    ///   - place: The pair whose certificate each new handshake shows, at the time of that handshake; valid as long as
    ///     the context, and changed on its thread only.
    ///   - challenges: The answers to challenges, which live as long as the context; nil: none are answered.
    static func setUp(
        _ context: OpaquePointer,
        showing place: UnsafeMutablePointer<OpaquePointer?>,
        _ challenges: ALPNChallenges?
    ) {
        var keys = [UInt8](repeating: 0, count: max(Int(hub_tls_ticket_key_bytes(context)), 0))
        for index in keys.indices { keys[index] = ticketKeys[index % ticketKeys.count] }
        hub_tls_configure(context, &keys, keys.count)
        hub_tls_show_from(context, place)
        challenges?.install(in: context)
    }

    /// The session ticket keys, one set per process, as a returning client may reach another loop than before.
    private static let ticketKeys: [UInt8] = (0..<128).map { _ in UInt8.random(in: .min ... .max) }
}
