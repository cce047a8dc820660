import CLibWebSockets
import Glibc

/// The certificates that are accepted from a `wss://` hub.
package enum CertificateTrust: Hashable, Sendable {
    /// Certificates that the system trusts.
    case system
    /// Certificates that are verified by those of a PEM file.
    case file(String)
    /// Any certificate, unverified: for try-outs only.
    case unverified

    /// The libwebsockets flags of a connection over TLS.
    var connectionFlags: CInt {
        switch self {
        case .system, .file: hub_lws_client_tls
        case .unverified: hub_lws_client_tls_unverified
        }
    }
}

/// Creates a virtual host that trusts only the certificates of a file; it lives as long as the context.
///
/// - Parameters:
///   - path: The path of a PEM file.
///   - context: The libwebsockets context of the loop.
/// - Returns: Nil if the file cannot be read, or libwebsockets rejects it.
func makeClientHost(trusting path: String, in context: OpaquePointer) -> OpaquePointer? {
    guard access(path, R_OK) == 0 else { return nil }
    var info = clientContextInformation()
    return path.withCString { path in
        "trusting".withCString { name in
            info.client_ssl_ca_filepath = path
            info.vhost_name = name
            return lws_create_vhost(context, &info)
        }
    }
}
