/// The caller's call and the calls of the callee's devices that belong together.
struct Conversation {
    /// The caller's call; nil if the call came from outside the hub.
    var caller: CallID?
    /// The handle that was called, or, for an incoming external call, the caller's.
    let handle: Handle
    /// True if one party's device, not the hub, carries the audio (row CK-68).
    let isExternal: Bool
    var phase: Phase
    /// The transfer that has made the conversation of one or two others; nil: its caller has placed a call.
    var transfer: Transfer?
    /// The called account; nil if it is not an account, or not known yet.
    var callee: Callee?
    /// The device identifiers of the caller's devices that had it connected (for Recents).
    var callerDevices: [String] = []
    /// The device identifiers of the callee's devices that had it connected or declined it (for Recents).
    var calleeDevices: [String] = []

    /// The origin of a conversation whose caller's call was connected before, with the transferor.
    struct Transfer {
        /// The time of the transfer, at which the conversation has begun.
        let date: Instant
        /// The time at which the two parties were connected; nil: they are not yet.
        var connectedAt: Instant?
        /// The transferor's account.
        let account: String
        /// The transferor's handle, as callees are shown it; called if a blind transfer fails.
        let handle: Handle
        /// The transfer that has failed, so that the transferor is called; nil: none.
        var returned: ReturnedTransfer?
    }

    var isConnected: Bool {
        if case .connected = phase { true } else { false }
    }

    init(caller: CallID?, handle: Handle, isExternal: Bool, phase: Phase) {
        self.caller = caller
        self.handle = handle
        self.isExternal = isExternal
        self.phase = phase
    }

    /// The progress of the conversation.
    enum Phase {
        /// The caller's start action is not fulfilled yet; the reports of an external call's progress wait for it.
        ///
        /// Can transition to:
        /// - `inviting` when it is fulfilled.
        case starting(OutgoingProgress = OutgoingProgress())
        /// The driver looks up the handle's owner, or the client connects the external call.
        ///
        /// Can transition to:
        /// - `ringing` when the owner is an account whose devices can take a call.
        /// - `connected` when the owner is a built-in party, or the client reports the external call connected.
        case inviting
        /// The account's devices ring, all with one UUID.
        ///
        /// There are none if the caller may not ring, and while the hub waits for a disconnected device.
        ///
        /// Can transition to:
        /// - itself when a device signs in or its session ends.
        /// - `answering` when the first of them performs an answer.
        case ringing(CallUUID, devices: [CallID])
        /// One device answers; the others have been notified.
        ///
        /// Can transition to:
        /// - `connected` when the answer is fulfilled.
        case answering(CallID)
        /// Connected to the far end.
        case connected(FarEnd)
    }

    /// The progress of an external call as its client has reported it: the earliest date of each event.
    struct OutgoingProgress {
        var startedConnectingAt: Instant?
        var connectedAt: Instant?

        mutating func add(_ event: OutgoingCallEvent, at date: Instant) {
            switch event {
            case .startedConnecting: startedConnectingAt = min(startedConnectingAt ?? date, date)
            case .connected: connectedAt = min(connectedAt ?? date, date)
            }
        }
    }

    /// The party that the caller is connected to.
    enum FarEnd {
        /// A device of the callee.
        case call(CallID)
        /// A built-in party.
        case builtIn(BuiltInSource)
        /// A party outside the hub; if it is the caller, it has no call in the engine.
        case external
    }

    /// The calls of the callee's devices.
    var callees: [CallID] {
        switch phase {
        case .starting, .inviting, .connected(.builtIn), .connected(.external): []
        case .ringing(_, let devices): devices
        case .answering(let call), .connected(.call(let call)): [call]
        }
    }

    /// True while the caller is sent ringing, even if no device rings.
    var callerSeesRinging: Bool {
        switch phase {
        case .ringing(_, let devices): !devices.isEmpty || callee?.isDecoyRinging == true
        // A transferred call has no state for it.
        case .answering: transfer != nil
        case .starting, .inviting, .connected: false
        }
    }
}
