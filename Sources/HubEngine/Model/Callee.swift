extension Conversation {
    /// The account that is called, and what it knows of the caller.
    struct Callee {
        let account: String
        /// Among whose ringing conversations this one is; nil: it is not.
        var ringsOn: AccountID?
        let callerHandle: Handle
        /// The name under which the caller presents itself.
        var callerName: String?
        var names: KnownNames
        /// The link by which the caller has come; nil: the caller is no link's guest.
        var callerLink: CallLinkID?
        /// Why the caller rings nobody; nil: he may ring.
        var filter: Filter?
        /// The devices that do not ring for this caller, by their own names for themselves.
        var quietDevices: Set<String> = []
        /// Whether the caller hears it ring while no device does (decision D13).
        var isSeenToRing = false
        /// Until when a device that is woken may come (row CK-80); nil: one was there.
        var wakeUntil: Instant?

        var shownName: String { callerName ?? names.contact ?? names.directory ?? callerHandle.value }

        /// Whether Do Not Disturb, of the account or of all the devices that were there, kept it from ringing (decision D9).
        var isSilenced: Bool { filter == .silenced || filter == nil && isSeenToRing }

        /// Whether a device rings for this caller.
        func mayRing(on deviceID: String) -> Bool { filter == nil && !quietDevices.contains(deviceID) }
    }

    /// Why a caller rings nobody and is not told so (decision D13).
    enum Filter {
        case blocked
        case silenced
    }
}

extension Conversation.Callee {
    /// An account and what it has on record of the caller.
    init(
        account: String,
        callerHandle: Handle,
        callerName: String?,
        callerLink: CallLinkID?,
        knowledge: CallerKnowledge
    ) {
        self.init(
            account: account,
            callerHandle: callerHandle,
            callerName: callerName,
            names: knowledge.names,
            callerLink: callerLink
        )
        filter = Conversation.Filter(knowledge)
        quietDevices = knowledge.breaksThroughDoNotDisturb ? [] : knowledge.quietDevices
    }
}

extension Conversation.Filter {
    /// The order of callkit.md 2.4: the block list, the directory, Do Not Disturb.
    init?(_ knowledge: CallerKnowledge) {
        if knowledge.isBlocked || knowledge.isBlockedByDirectory {
            self = .blocked
        } else if knowledge.doNotDisturb, !knowledge.breaksThroughDoNotDisturb {
            self = .silenced
        } else {
            return nil
        }
    }
}
