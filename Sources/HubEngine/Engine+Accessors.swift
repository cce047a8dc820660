/// Accessors of single fields of the tables' elements.
///
/// Functions, and not `calls[id]?.state` in place: in a function that changes the engine, that copies the whole call,
/// with a dozen retains and releases, before it reads the field. For the same reason none of these is passed as a
/// function, as in `calls.filter(hasFocus)`: that copies the engine.
extension Engine {
    func session(of call: CallID) -> SessionID? { calls[call]?.session }

    func conversation(of call: CallID) -> ConversationID? { calls[call]?.conversation }

    func uuid(of call: CallID) -> CallUUID? { calls[call]?.uuid }

    func state(of call: CallID) -> CallState? { calls[call]?.state }

    func hasFocus(_ call: CallID) -> Bool { calls[call]?.state.hasFocus == true }

    func isOnHold(_ call: CallID) -> Bool { calls[call]?.state.isOnHold == true }

    /// Returns the group of a call; nil: none, or no such call.
    func group(of call: CallID) -> GroupUUID? { calls[call]?.group }

    func calls(of session: SessionID) -> [CallID] { sessions[session]?.calls ?? [] }

    func account(of session: SessionID) -> AccountID? { sessions[session]?.account }

    func accountName(of session: SessionID) -> String? { sessions[session]?.opening.account }

    /// Returns the device identifier of a call's owner.
    ///
    /// Never inlined: in a function that changes the engine, the compiler would copy the engine for it.
    @inline(never)
    func deviceID(ofOwnerOf call: CallID) -> String? {
        guard let session = session(of: call) else { return nil }
        return sessions[session]?.opening.deviceID
    }

    func acceptsCalls(_ session: SessionID) -> Bool { sessions[session]?.providerLimits.acceptsCalls == true }

    func supportsVideo(_ session: SessionID) -> Bool { sessions[session]?.providerLimits.supportsVideo == true }

    func keepsRecents(_ session: SessionID) -> Bool { sessions[session]?.providerLimits.includesCallsInRecents == true }

    func phase(of conversation: ConversationID) -> Conversation.Phase? { conversations[conversation]?.phase }

    func isExternal(_ conversation: ConversationID) -> Bool { conversations[conversation]?.isExternal == true }

    func caller(of conversation: ConversationID) -> CallID? { conversations[conversation]?.caller }
}
