/// What links the caller's call with the calls of the callee's devices.
struct Conversation {
    /// The caller's call; nil: the call came from outside the hub.
    var caller: CallID?
    /// The handle that was called, or that calls from outside.
    let handle: Handle
    /// Whether the sound of one side is carried by the other's device and not by the hub (row CK-68).
    let isExternal: Bool
    var phase: Phase
    /// Who is called; nil: not an account, or not known yet.
    var callee: Callee?
    /// The caller's devices that had it connected, by their own names (Recents).
    var callerDevices: [String] = []
    /// The callee's devices that had it connected or declined it.
    var calleeDevices: [String] = []

    init(caller: CallID?, handle: Handle, isExternal: Bool, phase: Phase) {
        self.caller = caller
        self.handle = handle
        self.isExternal = isExternal
        self.phase = phase
    }

    /// How far it has come.
    enum Phase {
        /// The caller's start action is not fulfilled yet.
        ///
        /// Can transition to:
        /// - `inviting` when it is.
        case starting
        /// The driver looks up who has the handle, or the client reaches somebody outside.
        ///
        /// Can transition to:
        /// - `ringing` when an account has it whose devices can take a call.
        /// - `connected` when it is a built-in party's, or the client reports it.
        case inviting
        /// The account's devices ring, all with one UUID.
        ///
        /// No device does where the caller may not ring, and while one that is away is waited for.
        ///
        /// Can transition to:
        /// - itself when a device comes or goes.
        /// - `answering` when the first of them performs an answer.
        case ringing(CallUUID, devices: [CallID])
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
        /// Somebody outside the hub; where the caller is, it has no call here.
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

    /// Whether the caller hears it ring: also where it does not.
    var isRingingForTheCaller: Bool {
        guard case .ringing(_, let devices) = phase else { return false }
        return !devices.isEmpty || callee?.isSeenToRing == true
    }
}
