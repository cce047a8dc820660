import HubAccountData
import HubEngine
import HubWire

/// A handle that can be called.
public struct CallableHandle: Hashable, Sendable {
    /// The type of the handle.
    public var type: CallScreen.HandleType
    /// The value of the handle, such as `bob` or `+493012345`.
    public var value: String

    /// Creates a handle from its parts.
    public init(_ type: CallScreen.HandleType, _ value: String) {
        (self.type, self.value) = (type, value)
    }

    /// Reads the handle of a link `callhub:HANDLE`, `tel:NUMBER` or `mailto:ADDRESS`; nil: it is another link.
    ///
    /// - Parameter link: The link.
    package init?(link: String) {
        let scheme = link.prefix { $0 != ":" }.lowercased()
        guard ["callhub", "tel", "mailto"].contains(scheme) else { return nil }
        // Parameters of a number (RFC 3966), headers of a letter (RFC 6068) and fragments say nothing of the handle.
        let address = scheme == "callhub" ? link : "callhub:" + link.prefix { !";?#".contains($0) }
        guard let handle = try? Handle(typed: address) else { return nil }
        self.init(handle)
    }

    init(_ handle: Handle) {
        let type = CallScreen.HandleType.allCases.first { $0.engineType == handle.type }
        self.init(type ?? .generic, handle.value)
    }
}

/// A call in the Recents of the device's user.
public struct RecentScreenCall: Hashable, Sendable {
    /// The other party's handle; nil: nobody knows it.
    public var handle: CallableHandle?
    /// The name that was shown.
    public var name: String
    /// True if the device's user has placed the call.
    public var isOutgoing: Bool
    /// True if the user has missed the call.
    public var isMissed: Bool
    /// True if the call had video.
    public var hasVideo: Bool
    /// The name of the app's provider; nil: none.
    public var provider: String?
}

/// A contact of the device's user.
public struct ScreenContact: Hashable, Sendable {
    /// The identifier of the contact.
    public var identifier: String
    /// The name of the contact.
    public var name: String
    /// The handles by which the contact is reached.
    public var handles: [CallableHandle]
}

// Recents and contacts, from which the device's user calls somebody outside of the app.
extension CallScreen {
    /// Asks the hub for the Recents of the device's account.
    ///
    /// - Returns: The latest calls, the newest first; at most as many as the hub answers with.
    /// - Throws: `CallSystemError` if there is no hub.
    public func recents() async throws(CallSystemError) -> [RecentScreenCall] {
        let reply = try await system.send(.accountData(.listRecents(limit: nil, before: nil)))
        guard case .recents(let entries) = reply else { return [] }
        return entries.map { entry in
            RecentScreenCall(
                handle: entry.call.isUnknown ? nil : CallableHandle(entry.call.handle),
                name: entry.call.name,
                isOutgoing: entry.call.isOutgoing,
                isMissed: entry.call.outcome == .missed,
                hasVideo: entry.call.hasVideo,
                provider: entry.call.provider
            )
        }
    }

    /// Asks the hub for the contacts of the device's account.
    ///
    /// - Returns: The contacts, in the hub's order.
    /// - Throws: `CallSystemError` if there is no hub.
    public func contacts() async throws(CallSystemError) -> [ScreenContact] {
        let reply = try await system.send(.accountData(.listContacts))
        guard case .contacts(let contacts) = reply else { return [] }
        return contacts.map { contact in
            ScreenContact(
                identifier: contact.identifier,
                name: contact.name,
                handles: contact.handles.map { CallableHandle($0) }
            )
        }
    }
}
