/// The engine's state that the simulation needs beside the notifications of clients.
extension Engine {
    /// Returns the conversation that a device's call belongs to; nil: it has no such call.
    package func conversation(of call: CallUUID, on session: SessionID) -> ConversationID? {
        self.call(call, of: session).flatMap { calls[$0]?.conversation }
    }
}

extension Engine {
    /// Returns the configuration of a session's provider; nil: it was invalidated, or there is no such session.
    package func providerConfiguration(of session: SessionID) -> ProviderConfiguration? { sessions[session]?.provider }
}
