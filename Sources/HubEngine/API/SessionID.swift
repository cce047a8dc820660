/// Names a session in the engine: a slot in its table and the slot's generation, so that a late reference misses.
///
/// The index is small and dense: the relay uses it to find a session's audio route without hashing.
public struct SessionID: Hashable, Sendable {
    /// The slot's index, from 0; used again after the session has ended.
    public let index: UInt32
    /// How often the slot had been used before.
    public let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}

/// Names a request of the driver's: comes back, untouched, in the reply.
public struct RequestToken: Hashable, Sendable {
    /// The driver's own number.
    public let rawValue: UInt64

    /// A token of the driver's own number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Names a question of the engine's; the driver's answer carries it back.
public struct LookUpToken: Hashable, Sendable {
    package let conversation: ConversationID

    package init(conversation: ConversationID) {
        self.conversation = conversation
    }
}

/// Names a reported call whose caller is being looked up; the driver's answer carries it back.
public struct ScreeningToken: Hashable, Sendable {
    package let session: SessionID
    package let callUUID: CallUUID
    package let update: CallUpdate
    package let request: RequestToken

    package init(session: SessionID, callUUID: CallUUID, update: CallUpdate, request: RequestToken) {
        self.session = session
        self.callUUID = callUUID
        self.update = update
        self.request = request
    }
}
