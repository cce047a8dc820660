import COpenSSL
import Glibc

/// The client's side of TLS on a connected, non-blocking socket; certificates are not verified.
final class TLSSession {
    /// The configuration of all sessions; nil if OpenSSL has no memory.
    nonisolated(unsafe) private static let context: OpaquePointer? = {
        // OpenSSL writes without MSG_NOSIGNAL.
        signal(SIGPIPE, SIG_IGN)
        guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
        let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | UInt32(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER)
        SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(mode), nil)
        return context
    }()

    private let session: OpaquePointer

    /// Creates a session, whose handshake takes place with the first bytes sent or received.
    ///
    /// - Parameter descriptor: The connected socket, which stays the caller's.
    init?(on descriptor: Int32) {
        guard let context = Self.context, let session = SSL_new(context) else { return nil }
        self.session = session
        guard SSL_set_fd(session, descriptor) == 1 else { return nil }
        SSL_set_connect_state(session)
    }

    deinit {
        SSL_free(session)
    }

    /// Indicates that bytes received from the socket wait to be decrypted or read.
    var hasPending: Bool { SSL_has_pending(session) == 1 }

    /// Sends bytes without waiting.
    ///
    /// - Parameter bytes: At least one byte; of a blocked attempt the same bytes are to be sent again.
    /// - Returns: The result, like that of a system call.
    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        ERR_clear_error()
        return transfer(SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Receives bytes without waiting.
    ///
    /// - Parameter buffer: The memory for the bytes.
    /// - Returns: The result, like that of a system call.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        ERR_clear_error()
        return transfer(SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    private func transfer(_ result: Int32) -> Transfer {
        guard result <= 0 else { return .done(Int(result)) }
        let error = errno
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: return .blocked(POLLIN)
        case SSL_ERROR_WANT_WRITE: return .blocked(POLLOUT)
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SSL where ERR_peek_error() & 0x7F_FFFF == UInt(SSL_R_UNEXPECTED_EOF_WHILE_READING): return .ended
        case SSL_ERROR_SYSCALL: return error == 0 ? .ended : .reset
        default: return .reset
        }
    }
}
