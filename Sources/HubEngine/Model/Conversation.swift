/// What links the caller's call with the calls of the callee's devices.
struct Conversation {
    let caller: CallID
    /// The handle that was called.
    let handle: Handle
    var phase: Phase

    /// How far it has come.
    enum Phase {
        /// The caller's start action is not fulfilled yet.
        ///
        /// Can transition to:
        /// - `inviting` when it is.
        case starting
        /// The driver looks up who has the handle.
        ///
        /// Can transition to:
        /// - `ringing` when an account has it whose devices can take a call.
        /// - `connected` when it is a built-in party's.
        case inviting
        /// The account's devices ring, all with one UUID.
        ///
        /// Can transition to:
        /// - `answering` when the first of them performs an answer.
        case ringing(account: String, CallUUID, devices: [CallID])
        /// One device answers, the others have been told so.
        ///
        /// Can transition to:
        /// - `connected` when the answer is fulfilled.
        case answering(CallID)
        /// Both can speak.
        case connected(FarEnd)
    }

    /// Whom the caller speaks with.
    enum FarEnd {
        /// A device of the callee.
        case call(CallID)
        /// A party of the hub's own.
        case builtIn(BuiltInSource)
    }

    /// The calls of the callee's devices.
    var callees: [CallID] {
        switch phase {
        case .starting, .inviting, .connected(.builtIn): []
        case .ringing(_, _, let devices): devices
        case .answering(let call), .connected(.call(let call)): [call]
        }
    }
}
