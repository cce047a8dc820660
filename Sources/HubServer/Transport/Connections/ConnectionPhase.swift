/// The life of a connection.
///
/// Times are the loop's milliseconds.
package enum ConnectionPhase {
    /// The slot has no connection.
    ///
    /// Can transition to:
    /// - ``open(_:)``: a handshake is complete.
    case free

    /// Messages are received and sent.
    ///
    /// Can transition to:
    /// - ``open(_:)``: the progress of its authentication.
    /// - ``closing(_:)``: a close frame was queued, or received.
    /// - ``resetting(_:)``: it is to be reset: silence, a failed write, or a request of the hub.
    /// - ``ended``: the socket has ended without a close frame.
    case open(Authentication)

    /// A close frame was queued, sent or received: messages are neither delivered nor accepted for sending.
    ///
    /// Can transition to:
    /// - ``lingering(until:)``: the hub's close frame is written, and the handler was notified.
    /// - ``resetting(_:)``: the peer has not answered in time.
    /// - ``ended``: the socket has ended.
    case closing(Closing)

    /// The handler was notified of the end; the peer's close frame is awaited.
    ///
    /// Can transition to:
    /// - ``ended``: the socket has ended, or the time is over and it is being reset.
    case lingering(until: UInt64)

    /// The socket is reset in the next iteration of the loop; the payload is the end to be reported.
    ///
    /// Can transition to:
    /// - ``ended``: the library closes the socket.
    case resetting(ConnectionEnd)

    /// The handler was notified of the end, and the library closes the socket.
    ///
    /// Can transition to:
    /// - ``free``: the socket is closed.
    case ended

    /// The progress of a connection's sign-in.
    package enum Authentication {
        /// The client has not signed in: the sign-in timeout runs.
        case pending
        /// Credentials are being verified: the sign-in timeout is suspended.
        case verifying
        /// The client has signed in.
        case done
    }

    /// A close handshake under way (RFC 6455 section 7).
    package struct Closing {
        /// The state of the close frame.
        enum Frame {
            /// The hub's close frame is queued behind texts.
            case queued
            /// The hub's close frame is written.
            case sent
            /// The peer's close frame came first; the library answers it.
            case received
        }

        /// The close frame that began the handshake.
        var frame: Frame
        /// The end to be reported to the handler.
        package var end: ConnectionEnd
        /// The time at which the socket is reset.
        package var deadline: UInt64
    }
}

extension ConnectionPhase {
    /// True if the slot has no connection.
    @inline(__always)
    var isFree: Bool { if case .free = self { true } else { false } }

    /// True if messages are received and sent.
    @inline(__always)
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// True if the hub may write: to an open connection, or what is queued up to its close frame.
    var maySend: Bool {
        switch self {
        case .open: true
        case .closing(let closing): closing.frame == .queued
        case .free, .lingering, .resetting, .ended: false
        }
    }

    /// The end to be reported; nil: there is no connection, or its end was reported.
    package var unreportedEnd: ConnectionEnd? {
        switch self {
        case .open: .lost
        case .closing(let closing): closing.end
        case .resetting(let end): end
        case .free, .lingering, .ended: nil
        }
    }
}
