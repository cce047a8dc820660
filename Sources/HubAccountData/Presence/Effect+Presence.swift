public import HubEngine

extension Effect {
    /// The session whose account's presence may have changed with the effect; nil: none.
    ///
    /// With `Event.presenceSession`, all changes that the engine causes.
    public var presenceSession: SessionID? {
        switch self {
        case .notify(let session, .callChanged(let call)):
            switch call.state {
            case .connected, .held, .ended: session
            case .starting, .connecting, .ringing: nil
            }
        case .sessionEnded(let session, _): session
        case .reply(_, .opened(let session, _, _)): session
        case .reply, .notify, .audioRouteChanged, .lookUp, .screen, .addRecent, .sendPush, .cancelPush,
            .sessionClosing:
            nil
        }
    }
}

extension Event {
    /// The session on which calls may ring since the event, or no longer; nil: none.
    public var presenceSession: SessionID? {
        switch self {
        case .request(let session, .configure, _), .request(let session, .invalidate, _): session
        default: nil
        }
    }
}
