import CLibWebSockets
import Glibc

/// Whose certificate a `wss://` hub may show.
package enum CertificateTrust: Hashable, Sendable {
    /// One that the system trusts.
    case system
    /// One that the certificates of a PEM file vouch for.
    case file(String)
    /// Any at all: for try-outs only.
    case anybody

    /// What a client's options say.
    init(_ options: ClientOptions) {
        self =
            if !options.verifiesCertificate {
                .anybody
            } else if let path = options.trustedCertificates {
                .file(path)
            } else {
                .system
            }
    }

    /// What libwebsockets is told of a connection over TLS.
    var connectionFlags: CInt {
        switch self {
        case .system, .file: hub_lws_client_tls
        case .anybody: hub_lws_client_tls_unverified
        }
    }
}

/// Makes a virtual host whose connections trust the certificates of a file and no others; it lives as long as the context.
///
/// - Parameters:
///   - path: Of a PEM file.
///   - context: The loop's.
/// - Returns: Nil where the file cannot be read.
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
