/// The identifier of a session: a table slot and the slot's generation, so that a stale identifier finds nothing.
///
/// The index is small and dense: the relay finds a session's audio route by it without hashing.
public struct SessionID: Hashable, Sendable {
    /// The slot's index, from 0; used again after the session has ended.
    public let index: UInt32
    /// The number of earlier sessions in the slot.
    public let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}

/// The driver's identifier of a request; the reply returns it unchanged.
public struct RequestToken: Hashable, Sendable {
    /// The driver's own number.
    public let rawValue: UInt64

    /// Creates a token from the driver's own number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// The identifier of a look-up; the driver's answer returns it.
public struct LookUpToken: Hashable, Sendable {
    /// The operation that awaits the result.
    package enum Purpose: Hashable, Sendable {
        /// A call that is being placed.
        case call(ConversationID)
        /// A transfer that is not accepted yet.
        indirect case transfer(TransferToken)
    }

    package let purpose: Purpose

    package init(conversation: ConversationID) {
        purpose = .call(conversation)
    }

    package init(transfer: TransferToken) {
        purpose = .transfer(transfer)
    }
}

/// The request for a transfer whose parties are being looked up.
package struct TransferToken: Hashable, Sendable {
    package let session: SessionID
    package let action: ActionRequest
    package let request: RequestToken
    /// The conversation of the transferred call, and that of the target's call, if there is one: if one is another when
    /// the result comes, its other party has changed.
    package let conversation: ConversationID
    package let joined: ConversationID?

    package init(
        session: SessionID,
        action: ActionRequest,
        request: RequestToken,
        conversation: ConversationID,
        joined: ConversationID?
    ) {
        self.session = session
        self.action = action
        self.request = request
        self.conversation = conversation
        self.joined = joined
    }
}

/// The identifier of a reported call whose caller is being screened; the driver's answer returns it.
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
