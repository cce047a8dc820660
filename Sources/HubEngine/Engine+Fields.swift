/// One field of what the tables hold.
///
/// Functions, and not `calls[id]?.state` on the spot: where the engine is changed in the same function, that copies the whole call,
/// a dozen references counted up and down again, before it takes the field out. For the same reason none of these is handed on as a
/// function, as in `calls.filter(hasFocus)`: that takes a copy of the engine along.
extension Engine {
    func session(of call: CallID) -> SessionID? { calls[call]?.session }

    func conversation(of call: CallID) -> ConversationID? { calls[call]?.conversation }

    func uuid(of call: CallID) -> CallUUID? { calls[call]?.uuid }

    func state(of call: CallID) -> CallState? { calls[call]?.state }

    func hasFocus(_ call: CallID) -> Bool { calls[call]?.state.hasFocus == true }

    func isOnHold(_ call: CallID) -> Bool { calls[call]?.state.isOnHold == true }

    /// The group of a call; nil: none, or no such call.
    func group(of call: CallID) -> GroupUUID? { calls[call]?.group }

    func calls(of session: SessionID) -> [CallID] { sessions[session]?.calls ?? [] }

    func account(of session: SessionID) -> AccountID? { sessions[session]?.account }

    func accountName(of session: SessionID) -> String? { sessions[session]?.opening.account }

    /// The device's own name for itself.
    ///
    /// Never inlined: where the engine is changed, the compiler takes a copy of it for this one.
    @inline(never)
    func deviceID(ofOwnerOf call: CallID) -> String? {
        guard let session = session(of: call) else { return nil }
        return sessions[session]?.opening.deviceID
    }

    func takesCalls(_ session: SessionID) -> Bool { sessions[session]?.terms.takesCalls == true }

    func supportsVideo(_ session: SessionID) -> Bool { sessions[session]?.terms.supportsVideo == true }

    func keepsRecents(_ session: SessionID) -> Bool { sessions[session]?.terms.includesCallsInRecents == true }

    func phase(of conversation: ConversationID) -> Conversation.Phase? { conversations[conversation]?.phase }

    func isExternal(_ conversation: ConversationID) -> Bool { conversations[conversation]?.isExternal == true }

    func caller(of conversation: ConversationID) -> CallID? { conversations[conversation]?.caller }
}
