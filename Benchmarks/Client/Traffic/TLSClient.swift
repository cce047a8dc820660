package import BenchmarkSupport
import COpenSSL

/// The client's side of TLS, for any number of connections.
///
/// Certificates are not verified: the programs measured run on this machine, with self-signed certificates.
package final class TLSClient {
    private let context: OpaquePointer

    /// A client of TLS 1.2 or 1.3, whichever the server prefers.
    package init() throws(BenchmarkError) {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw BenchmarkError("OpenSSL cannot be used")
        }
        // Buffers that a connection does not need at the moment are released: there may be ten thousand connections.
        // Reading ahead saves a system call a record.
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | UInt32(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(mode | UInt32(SSL_MODE_RELEASE_BUFFERS)), nil)
        SSL_CTX_set_default_read_buffer_len(context, 4096)
        SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        self.context = context
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// Performs the handshake on a connected, blocking socket.
    func connect(_ descriptor: CInt) throws(BenchmarkError) -> OpaquePointer {
        guard let connection = SSL_new(context) else {
            throw BenchmarkError("OpenSSL has no memory for a connection")
        }
        guard SSL_set_fd(connection, descriptor) == 1, SSL_connect(connection) == 1 else {
            SSL_free(connection)
            ERR_clear_error()
            throw BenchmarkError("the program under test refused the TLS handshake")
        }
        return connection
    }
}
