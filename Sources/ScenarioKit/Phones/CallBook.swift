import HubEngine

/// Which call is meant by a name: each conversation of a run, and what each party's end of it is called on the wire.
///
/// The caller gives its own end; the callee's is known by the ring that follows from that caller, in order.
struct CallBook {
    /// A call that somebody has placed or reported.
    struct Conversation {
        var name: CallName
        /// Who has placed or reported it.
        var owner: String
        /// The party that is called; nil: somebody outside the scenario, or it was reported.
        var callee: String?
        /// One of the hub's own parties.
        var builtIn: BuiltInParty?
        /// Each party's end.
        var ends: [String: CallUUID] = [:]
        /// The callee's end, where somebody calls himself.
        var ownEnd: CallUUID?
        /// Whether its other end is neither a party's nor the hub's own.
        var isToOutside: Bool { callee == nil && builtIn == nil }
    }

    private(set) var conversations: [Conversation] = []
    private var places: [CallUUID: Int] = [:]

    /// Somebody begins a call; nobody knows what an app calls its own end.
    mutating func begin(
        _ name: CallName,
        by owner: String,
        _ uuid: CallUUID?,
        to callee: String?,
        _ own: BuiltInParty?
    ) {
        var conversation = Conversation(name: name, owner: owner, callee: callee, builtIn: own)
        conversation.ends[owner] = uuid
        conversations.append(conversation)
        if let uuid { places[uuid] = conversations.count - 1 }
    }

    /// A call that nobody knows yet rings at a party's.
    ///
    /// - Parameters:
    ///   - uuid: The party's end.
    ///   - party: Whose.
    ///   - caller: The party that calls.
    ///   - isOver: Whether a conversation is over at its caller's.
    mutating func rings(_ uuid: CallUUID, at party: String, from caller: String, isOver: (CallUUID) -> Bool) {
        guard places[uuid] == nil else { return }
        let open = conversations.indices.filter { index in
            let conversation = conversations[index]
            guard conversation.owner == caller, conversation.callee == party else { return false }
            return caller == party ? conversation.ownEnd == nil : conversation.ends[party] == nil
        }
        let alive = open.first { index in conversations[index].ends[caller].map { !isOver($0) } ?? true }
        guard let index = alive ?? open.first else { return }
        if caller == party {
            conversations[index].ownEnd = uuid
        } else {
            conversations[index].ends[party] = uuid
        }
        places[uuid] = index
    }

    /// The ends that a party may mean by a name, in the order in which they are tried.
    func ends(_ name: CallName, of party: String) -> [CallUUID] {
        for conversation in conversations.reversed() where conversation.name == name {
            guard conversation.owner == party || conversation.callee == party else { continue }
            return [conversation.ownEnd, conversation.ends[party]].compactMap(\.self)
        }
        return []
    }

    /// The end of a call that is at the other side of a party, and whose it is; nil: there is none so far.
    func otherEnd(_ name: CallName, of party: String) -> (party: String, uuid: CallUUID)? {
        for conversation in conversations.reversed() where conversation.name == name {
            guard conversation.owner == party || conversation.callee == party else { continue }
            let other = conversation.owner == party ? conversation.callee : conversation.owner
            return other.flatMap { other in conversation.ends[other].map { (other, $0) } }
        }
        return nil
    }

    /// Whether a party is at one end of a call of that name.
    func concerns(_ name: CallName, _ party: String) -> Bool {
        conversations.contains { $0.name == name && ($0.owner == party || $0.callee == party) }
    }

    /// The name of a call on the wire.
    func name(of uuid: CallUUID) -> CallName? { places[uuid].map { conversations[$0].name } }

    /// The conversation of a call on the wire.
    func place(of uuid: CallUUID) -> Int? { places[uuid] }
}
