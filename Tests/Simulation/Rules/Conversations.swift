import HubEngine

/// Which calls belong together: kept from what is told, each call's conversation asked for once, when it appears.
struct Conversations {
    /// A call on a device.
    struct Leg: Hashable {
        var device: Int
        var uuid: CallUUID
    }

    /// Looked up, never iterated.
    private var legs: [ConversationID: [Leg]] = [:]
    private var conversation: [Leg: ConversationID] = [:]
    private var builtIns: [ConversationID: BuiltInParty] = [:]
    /// What the callee has on record of the caller: looked up, never iterated.
    private var known: [ConversationID: CallerKnowledge] = [:]
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

    /// Forgets what has no call any more; not at once, since a call that is pulled is gone before it is there again.
    mutating func forgetEmpty() {
        for conversation in emptied where legs[conversation]?.isEmpty == true {
            legs[conversation] = nil
            builtIns[conversation] = nil
            known[conversation] = nil
        }
        emptied.removeAll(keepingCapacity: true)
    }

    mutating func connect(_ conversation: ConversationID, to party: BuiltInParty) {
        guard legs[conversation] != nil else { return }
        builtIns[conversation] = party
    }

    /// The callee has this on record of the caller.
    mutating func know(_ knowledge: CallerKnowledge, about conversation: ConversationID) {
        guard legs[conversation] != nil else { return }
        known[conversation] = knowledge
    }

    /// A call that is being reported may not ring; nil: no more.
    mutating func filter(_ report: CallUUID?) {
        filteredReport = report
    }

    /// Whether a call may not ring on a device of this name.
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
