import HubEngine

/// The calls of each conversation, kept from the engine's notifications.
///
/// The engine is asked for each call's conversation only once, when the call appears.
struct Conversations {
    /// A call on a device.
    struct Leg: Hashable {
        var device: Int
        var uuid: CallUUID
    }

    /// A transfer that brought a call to a conversation.
    private struct Transfer {
        let date: Instant
        /// The handle by which the call's device knew the transferor; nil: the transfer has failed.
        let transferor: Handle?
    }

    /// Looked up, never iterated.
    private var legs: [ConversationID: [Leg]] = [:]
    private var conversation: [Leg: ConversationID] = [:]
    private var builtIns: [ConversationID: BuiltInParty] = [:]
    /// The callee's data about the caller (contacts, blocks, names): looked up, never iterated.
    private var known: [ConversationID: CallerScreeningData] = [:]
    /// The last transfer that brought a call to a conversation: looked up, never iterated.
    private var transfers: [ConversationID: Transfer] = [:]
    /// The conversations whose transfer has failed; looked up, never iterated.
    private var returned: Set<ConversationID> = []
    /// The transferred conversations whose parties are connected; looked up, never iterated.
    private var joined: Set<ConversationID> = []
    private var filteredReport: CallUUID?
    private var emptied: [ConversationID] = []

    mutating func insert(_ uuid: CallUUID, of device: Int, in conversation: ConversationID) {
        let leg = Leg(device: device, uuid: uuid)
        guard self.conversation[leg] == nil else { return }
        self.conversation[leg] = conversation
        legs[conversation, default: []].append(leg)
    }

    mutating func remove(_ uuid: CallUUID, of device: Int) {
        let leg = Leg(device: device, uuid: uuid)
        guard let conversation = conversation.removeValue(forKey: leg) else { return }
        legs[conversation]?.removeAll { $0 == leg }
        if legs[conversation]?.isEmpty == true { emptied.append(conversation) }
    }

    /// Moves a call that was transferred to another conversation.
    mutating func move(_ call: CallSnapshot, of device: Int, to conversation: ConversationID, at now: Instant) {
        remove(call.uuid, of: device)
        insert(call.uuid, of: device, in: conversation)
        // The second one of an attended transfer.
        if transfers[conversation] != nil { joined.insert(conversation) }
        transfers[conversation] = Transfer(date: now, transferor: call.transferor?.handle)
    }

    /// Notes that a call has been connected.
    mutating func noteConnected(_ uuid: CallUUID, on device: Int) {
        guard let conversation = conversation(of: uuid, on: device), isTransferred(conversation) else { return }
        joined.insert(conversation)
    }

    /// Indicates that a connected call's new other party is called, and has not answered yet.
    func isBeingPlaced(_ call: CallSnapshot, on device: Int) -> Bool {
        guard call.hasConnected, let conversation = conversation(of: call.uuid, on: device) else { return false }
        return isTransferred(conversation) && !joined.contains(conversation) && builtIns[conversation] == nil
    }

    /// Indicates that a transfer has brought a call to a conversation.
    func isTransferred(_ conversation: ConversationID) -> Bool { transfers[conversation] != nil }

    /// Returns the handle of the transferor of a conversation's call; nil: not transferred, or the transfer has failed.
    func transferor(of conversation: ConversationID) -> Handle? { transfers[conversation]?.transferor }

    /// Marks a conversation as one whose transfer has failed: its call rings the transferor, whoever may ring there.
    mutating func markReturned(_ conversation: ConversationID) { returned.insert(conversation) }

    /// Indicates that a conversation's transfer has failed.
    func isReturned(_ conversation: ConversationID) -> Bool { returned.contains(conversation) }

    /// Returns the time at which a transfer has made a call's conversation; nil: none has.
    func transferDate(of uuid: CallUUID, on device: Int) -> Instant? {
        conversation[Leg(device: device, uuid: uuid)].flatMap { transfers[$0]?.date }
    }

    /// Removes conversations without calls; not at once, since a pulled call is removed before it is inserted again.
    mutating func removeEmptyConversations() {
        for conversation in emptied where legs[conversation]?.isEmpty == true {
            legs[conversation] = nil
            builtIns[conversation] = nil
            known[conversation] = nil
            transfers[conversation] = nil
            returned.remove(conversation)
            joined.remove(conversation)
        }
        emptied.removeAll(keepingCapacity: true)
    }

    mutating func connect(_ conversation: ConversationID, to party: BuiltInParty) {
        guard legs[conversation] != nil else { return }
        builtIns[conversation] = party
    }

    /// Sets the callee's data about the caller.
    mutating func setCallerData(_ screeningData: CallerScreeningData, about conversation: ConversationID) {
        guard legs[conversation] != nil else { return }
        known[conversation] = screeningData
    }

    /// Marks a call that is being reported as one that may not ring; nil: none.
    mutating func filter(_ report: CallUUID?) {
        filteredReport = report
    }

    /// Indicates that a call may not ring on a device of this name.
    func isFiltered(_ uuid: CallUUID, on device: Int, named name: String) -> Bool {
        if filteredReport == uuid { return true }
        return conversation[Leg(device: device, uuid: uuid)].flatMap { known[$0] }?.forbidsRinging(on: name) == true
    }

    func builtIn(of uuid: CallUUID, on device: Int) -> BuiltInParty? {
        conversation[Leg(device: device, uuid: uuid)].flatMap { builtIns[$0] }
    }

    func others(than uuid: CallUUID, on device: Int) -> [Leg] {
        let leg = Leg(device: device, uuid: uuid)
        return (conversation[leg].flatMap { legs[$0] } ?? []).filter { $0 != leg }
    }

    func conversation(of uuid: CallUUID, on device: Int) -> ConversationID? {
        conversation[Leg(device: device, uuid: uuid)]
    }
}
