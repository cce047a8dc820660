extension Conversation {
    /// The account that is called, and its data about the caller.
    struct Callee {
        let account: String
        /// The account that has this conversation in its list of ringing ones; nil: none has.
        var calledAccount: AccountID?
        let callerHandle: Handle
        /// The display name that the caller has set.
        var callerName: String?
        /// The name that the caller has given as the guest of an invitation; nil: none.
        var callerGuestName: String?
        var names: KnownNames
        /// The invitation by which the caller has joined; nil if the caller is not a guest.
        var callerInvitation: InvitationID?
        /// The name of that invitation, where the caller has given a name of their own; nil: none.
        var callerInvitationName: String?
        /// The reason why no device rings for this caller; nil: devices may ring.
        var filter: Filter?
        /// The device identifiers of the devices that do not ring for this caller.
        var quietDevices: Set<String> = []
        /// True while the caller is sent ringing although no device rings (decision D13).
        var isDecoyRinging = false
        /// The time until which a device may sign in after a push (row CK-80); nil: no push was needed.
        var pushWaitDeadline: Instant?

        var shownName: String {
            callerGuestName ?? callerName ?? names.contact ?? names.directory ?? callerHandle.value
        }

        /// True if the call is silent because of Do Not Disturb, of the account or all signed-in devices (decision D9).
        var isSilenced: Bool { filter == .silenced || filter == nil && isDecoyRinging }

        /// Indicates that a device may ring for this caller.
        func mayRing(on deviceID: String) -> Bool { filter == nil && !quietDevices.contains(deviceID) }
    }

    /// The reason why no device rings for a caller; it is not disclosed to them (decision D13).
    enum Filter {
        case blocked
        case silenced
    }
}

extension Conversation.Callee {
    /// Creates a callee from an account and its data about the caller.
    init(
        account: String,
        callerHandle: Handle,
        _ result: LookUpResult,
        _ screeningData: CallerScreeningData
    ) {
        self.init(
            account: account,
            callerHandle: callerHandle,
            callerName: result.callerGuestName == nil ? result.callerDisplayName : nil,
            callerGuestName: result.callerGuestName,
            names: screeningData.names,
            callerInvitation: result.callerInvitation,
            callerInvitationName: result.callerGuestName == nil ? nil : result.callerDisplayName
        )
        filter = Conversation.Filter(screeningData)
        quietDevices = screeningData.breaksThroughDoNotDisturb ? [] : screeningData.quietDevices
    }

    /// Lets the caller ring on all devices whatever Do Not Disturb says; a blocked one rings on none.
    mutating func liftDoNotDisturb() {
        if filter == .silenced { filter = nil }
        quietDevices = []
    }
}

extension Conversation.Filter {
    /// Chooses in the order of callkit-semantics.md 2.4: the block list, the directory, Do Not Disturb.
    init?(_ screeningData: CallerScreeningData) {
        if screeningData.isBlocked || screeningData.isBlockedByDirectory {
            self = .blocked
        } else if screeningData.doNotDisturb, !screeningData.breaksThroughDoNotDisturb {
            self = .silenced
        } else {
            return nil
        }
    }
}
