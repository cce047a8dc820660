import HubEngine

/// A registry of the run's calls, which maps each call name to the call UUID at each party's end.
///
/// The caller chooses the UUID of its own end; the callee's end is the next ringing call from that caller, in order.
struct CallRegistry {
    /// A call that a party has placed or reported.
    struct Conversation {
        var name: CallName
        /// The party that has placed or reported it.
        var owner: String
        /// The called party; nil: the callee is outside the scenario, or the call was reported.
        var callee: String?
        /// The called built-in party of the hub; nil: the callee is none.
        var builtIn: BuiltInParty?
        /// The call UUID of each party's end.
        var ends: [String: CallUUID] = [:]
        /// The callee's end if a party calls itself.
        var ownEnd: CallUUID?
        /// True if a transfer has made it of two others.
        var isTransferred = false
        /// Indicates that an app was asked to place it, and has not.
        var isAbandoned = false
        /// Indicates that the other end is neither a party of the scenario nor a built-in one.
        var isToOutside: Bool { callee == nil && builtIn == nil }
    }

    private(set) var conversations: [Conversation] = []
    private var positions: [CallUUID: Int] = [:]

    /// Adds a conversation; the owner's UUID is nil if its phone is an app under test.
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
        if let uuid { positions[uuid] = conversations.count - 1 }
    }

    /// Assigns the UUID that an app has chosen to the first conversation of its party that has none.
    mutating func places(_ uuid: CallUUID, by owner: String) {
        guard positions[uuid] == nil,
            let index = conversations.firstIndex(where: { conversation in
                conversation.owner == owner && conversation.ends[owner] == nil && !conversation.isAbandoned
            })
        else { return }
        conversations[index].ends[owner] = uuid
        positions[uuid] = index
    }

    /// Gives up the conversations that an app has not placed, behind the first ones.
    mutating func abandon(after count: Int, by owner: String) {
        for index in conversations.indices.dropFirst(count) {
            guard conversations[index].owner == owner, conversations[index].ends[owner] == nil else { continue }
            conversations[index].isAbandoned = true
        }
    }

    /// Assigns a new ringing call at a party to the first conversation that waits for it.
    ///
    /// Conversations whose caller's end is not over come first.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the callee's end.
    ///   - party: The party at which it rings.
    ///   - caller: The calling party.
    ///   - isOver: Returns true if the call of the caller's end has ended.
    mutating func rings(_ uuid: CallUUID, at party: String, from caller: String, isOver: (CallUUID) -> Bool) {
        guard positions[uuid] == nil else { return }
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
        positions[uuid] = index
    }

    /// Notes that a transfer has connected a party's call with somebody else; the call keeps its name.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the party's end.
    ///   - party: The party.
    ///   - other: The new other party; nil: it is outside the scenario, or a built-in one.
    ///   - builtIn: The built-in party; nil: it is none.
    mutating func transferred(_ uuid: CallUUID, at party: String, to other: String?, _ builtIn: BuiltInParty?) {
        guard let name = name(of: uuid), let position = positions[uuid] else { return }
        let present = conversations[position]
        // A device that has pulled the call is notified of the transfer, too.
        if present.isTransferred, Set([present.owner, present.callee]) == [party, other] { return }
        let open = conversations.lastIndex { conversation in
            conversation.isTransferred && conversation.owner == other && conversation.callee == party
                && conversation.ends[party] == nil
        }
        if let open {
            conversations[open].ends[party] = uuid
            positions[uuid] = open
        } else {
            begin(name, by: party, uuid, to: other, builtIn)
            conversations[conversations.count - 1].isTransferred = true
        }
    }

    /// Returns the UUIDs that a party may refer to by a name, in the order in which they are tried.
    func ends(_ name: CallName, of party: String) -> [CallUUID] {
        for conversation in conversations.reversed() where conversation.name == name {
            guard conversation.owner == party || conversation.callee == party else { continue }
            return [conversation.ownEnd, conversation.ends[party]].compactMap(\.self)
        }
        return []
    }

    /// Returns the opposite end of a party's call and its party; nil: it does not exist so far.
    func otherEnd(_ name: CallName, of party: String) -> (party: String, uuid: CallUUID)? {
        for conversation in conversations.reversed() where conversation.name == name {
            guard conversation.owner == party || conversation.callee == party else { continue }
            let other = conversation.owner == party ? conversation.callee : conversation.owner
            return other.flatMap { other in conversation.ends[other].map { (other, $0) } }
        }
        return nil
    }

    /// Indicates that a party is at one end of a call with this name.
    func involves(_ name: CallName, _ party: String) -> Bool {
        conversations.contains { $0.name == name && ($0.owner == party || $0.callee == party) }
    }

    /// Returns the name of a call UUID; nil: it is unknown.
    func name(of uuid: CallUUID) -> CallName? { positions[uuid].map { conversations[$0].name } }

    /// Returns the index of a call UUID's conversation; nil: it is unknown.
    func position(of uuid: CallUUID) -> Int? { positions[uuid] }
}
