public import HubEngine

/// What a client asks for: a request that exists is well formed.
public enum ClientRequest: Hashable, Sendable {
    /// `session.open`: the server's, since it signs in and resumes.
    indirect case open(SessionOpen)
    /// `session.close`.
    case close
    /// `session.ping`, with the `t` to be echoed; nil: it had none.
    case ping(JSONText?)
    /// `session.refresh`: the newer token.
    case refresh(token: String)
    /// What the engine decides.
    case engine(Request)
    /// What is asked of the hub's memory.
    case memory(MemoryRequest)
    /// What an account's user asks of its devices.
    case account(AccountRequest)
    /// What is asked about being woken.
    case push(PushRequest)
    /// What an administrator asks.
    case admin(AdminRequest)

    /// The method that asks for it.
    public var method: ClientMethod {
        switch self {
        case .open: .sessionOpen
        case .close: .sessionClose
        case .ping: .sessionPing
        case .refresh: .sessionRefresh
        case .engine(let request): request.method
        case .memory(let request): request.method
        case .account(let request): request.method
        case .push(let request): request.method
        case .admin(let request): request.method
        }
    }
}

extension AccountRequest {
    var method: ClientMethod {
        switch self {
        case .devices: .accountDevices
        case .signOut: .accountSignOut
        }
    }
}

extension PushRequest {
    var method: ClientMethod {
        switch self {
        case .key: .pushKey
        case .subscribe: .pushSubscribe
        case .unsubscribe: .pushUnsubscribe
        }
    }
}

extension AdminRequest {
    var method: ClientMethod {
        switch self {
        case .calls: .adminCalls
        case .devices: .adminDevices
        case .accounts: .adminAccounts
        case .endCall: .adminEndCall
        case .signOut: .adminSignOut
        case .reload: .adminReload
        case .drain: .adminDrain
        }
    }
}

extension Request {
    var method: ClientMethod {
        switch self {
        case .transaction: .transactionRequest
        case .fulfill: .actionFulfill
        case .fail: .actionFail
        case .executed: .providerExecuted
        case .configure: .providerConfigure
        case .invalidate: .providerInvalidate
        case .reportNewIncomingCall: .providerReportNewIncomingCall
        case .reportCall: .providerReportCall
        case .reportCallEnded: .providerReportCallEnded
        case .reportOutgoingCall: .providerReportOutgoingCall
        case .pending: .providerPending
        case .calls: .observerCalls
        }
    }
}

extension MemoryRequest {
    var method: ClientMethod {
        switch self {
        case .getSettings: .settingsGet
        case .setSettings: .settingsSet
        case .listBlocked: .blockList
        case .block: .blockAdd
        case .unblock: .blockRemove
        case .listContacts: .contactsList
        case .putContact: .contactsPut
        case .removeContact: .contactsRemove
        case .listRecents: .recentsList
        case .markRecentsSeen: .recentsMarkSeen
        case .removeRecents: .recentsRemove
        case .loadDirectory, .cancelDirectoryLoad: .directoryLoad
        case .setDirectoryEnabled: .directorySetEnabled
        case .directoryStatus: .directoryStatus
        case .erase: .accountErase
        }
    }
}
