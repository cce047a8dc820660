import HubEngine

extension Conversation {
    /// New and changed data of a conversation; nil leaves a value as it is.
    public struct Update: Hashable, Codable, Sendable {
        /// The handle of the local participant.
        public var localMember: LiveCommunicationKit.Handle?
        /// The handles of the remote participants.
        public var members: Set<LiveCommunicationKit.Handle>?
        /// The handles of the remote participants that are active; the hub knows no such difference.
        public var activeRemoteMembers: Set<LiveCommunicationKit.Handle>?
        /// The abilities of the conversation.
        public var capabilities: Capabilities?

        /// Creates an update.
        ///
        /// - Parameters:
        ///   - localMember: The handle of the local participant.
        ///   - members: The handles of the remote participants.
        ///   - activeRemoteMembers: The handles of the remote participants that are active.
        ///   - capabilities: The abilities of the conversation.
        public init(
            localMember: LiveCommunicationKit.Handle? = nil,
            members: Set<LiveCommunicationKit.Handle>? = nil,
            activeRemoteMembers: Set<LiveCommunicationKit.Handle>? = nil,
            capabilities: Capabilities? = nil
        ) {
            (self.localMember, self.members) = (localMember, members)
            (self.activeRemoteMembers, self.capabilities) = (activeRemoteMembers, capabilities)
        }
    }

    /// The abilities of a conversation.
    public struct Capabilities: OptionSet, Hashable, Codable, Sendable {
        /// The bits of the abilities.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The conversation can be paused.
        public static let pausing = Capabilities(rawValue: 1 << 0)
        /// The conversation can be merged with another one.
        public static let merging = Capabilities(rawValue: 1 << 1)
        /// The conversation can be taken out of those that it was merged with.
        public static let unmerging = Capabilities(rawValue: 1 << 2)
        /// The conversation has video.
        public static let video = Capabilities(rawValue: 1 << 3)
        /// The conversation can play tones.
        public static let playingTones = Capabilities(rawValue: 1 << 4)
    }
}

extension Conversation.Update {
    /// The data as the call system takes them; of several members the first one by its address is the other party.
    var engineUpdate: CallUpdate {
        var update = CallUpdate()
        let members = (members ?? []).sorted { $0.value < $1.value }
        update.remoteHandle = members.first?.engineHandle
        if members.contains(where: { $0.displayName != $0.value }) || members.count > 1 {
            update.localizedCallerName = members.map(\.displayName).joined(separator: ", ")
        }
        if let capabilities {
            update.supportsHolding = capabilities.contains(.pausing)
            update.supportsGrouping = capabilities.contains(.merging)
            update.supportsUngrouping = capabilities.contains(.unmerging)
            update.supportsDTMF = capabilities.contains(.playingTones)
            update.hasVideo = capabilities.contains(.video)
        }
        return update
    }
}
