/// What the simulation asks of the engine beside what clients are told.
extension Engine {
    /// The conversation that a device's call belongs to; nil: it has no such call.
    package func conversation(of call: CallUUID, on session: SessionID) -> ConversationID? {
        self.call(call, of: session).flatMap { calls[$0]?.conversation }
    }
}
