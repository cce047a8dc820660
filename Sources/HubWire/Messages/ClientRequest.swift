public import HubAccountData
public import HubEngine

/// A well-formed request of a client.
public enum ClientRequest: Hashable, Sendable {
    /// `session.open`, which the server handles: it signs in and resumes.
    indirect case open(SessionOpenRequest)
    /// `session.close`.
    case close
    /// `session.ping`, with the `t` to be echoed; nil: it had none.
    case ping(RawJSON?)
    /// `session.refresh`, with the newer token.
    case refresh(token: String)
    /// A request that the engine handles.
    case engine(Request)
    /// A request for the account's data.
    case accountData(AccountDataRequest)
    /// A request about the account's own devices.
    case account(AccountRequest)
    /// A request about push notifications.
    case push(PushSubscriptionRequest)
    /// A request about people and their presence.
    case people(PeopleRequest)
    /// A request about the icons and ringtones of the account's providers.
    indirect case appearance(AppearanceRequest)
    /// An administrator's request.
    case admin(AdminRequest)
    /// A request about invitations, or for an account.
    indirect case invitation(InvitationRequest)
    /// A request about passkeys.
    indirect case passkey(PasskeyRequest)

    /// The method of the request.
    public var method: ClientMethod {
        switch self {
        case .open: .sessionOpen
        case .close: .sessionClose
        case .ping: .sessionPing
        case .refresh: .sessionRefresh
        case .engine(let request): request.method
        case .accountData(let request): request.method
        case .account(let request): request.method
        case .push(let request): request.method
        case .people(let request): request.method
        case .appearance(let request): request.method
        case .admin(let request): request.method
        case .invitation(let request): request.method
        case .passkey(let request): request.method
        }
    }
}

extension AccountRequest {
    var method: ClientMethod {
        switch self {
        case .devices: .accountDevices
        case .signOut, .signOutOthers: .accountSignOut
        case .setPassword: .accountSetPassword
        }
    }
}

extension PasskeyRequest {
    var method: ClientMethod {
        switch self {
        case .challenge: .passkeyChallenge
        case .confirm: .passkeysConfirm
        case .create: .passkeysCreate
        case .add: .passkeysAdd
        case .list: .passkeysList
        case .rename: .passkeysRename
        case .remove: .passkeysRemove
        }
    }
}

extension PushSubscriptionRequest {
    var method: ClientMethod {
        switch self {
        case .key: .pushKey
        case .subscribe: .pushSubscribe
        case .unsubscribe: .pushUnsubscribe
        }
    }
}

extension PeopleRequest {
    var method: ClientMethod {
        switch self {
        case .list: .peopleList
        case .subscribe: .peopleSubscribe
        case .photo: .peoplePhoto
        case .setAway: .presenceSet
        }
    }
}

extension AppearanceRequest {
    var method: ClientMethod {
        switch self {
        case .set: .providerSetAppearance
        case .list: .providerList
        case .media: .providerMedia
        }
    }
}

extension AdminRequest {
    /// The method of the request.
    public var method: ClientMethod {
        switch self {
        case .calls: .adminCalls
        case .devices: .adminDevices
        case .accounts: .adminAccounts
        case .endCall: .adminEndCall
        case .signOut: .adminSignOut
        case .reload: .adminReload
        case .drain: .adminDrain
        case .status: .adminStatus
        case .history: .adminHistory
        case .handles: .adminHandles
        case .addAccount: .adminAddAccount
        case .change(_, .disabled): .adminSetDisabled
        case .change(_, .admin): .adminSetAdmin
        case .change(_, .addHandle): .adminAddHandle
        case .change(_, .removeHandle): .adminRemoveHandle
        case .change(_, .remove): .adminRemoveAccount
        case .reset: .adminResetAccount
        case .backup: .adminBackup
        case .audit: .adminAudit
        case .verifyAudit: .adminVerifyAudit
        }
    }
}

extension InvitationRequest {
    var method: ClientMethod {
        switch self {
        case .show: .invitationShow
        case .accept: .invitationAccept
        case .register: .accountRegister
        case .create: .invitationsCreate
        case .list: .invitationsList
        case .revoke: .invitationsRevoke
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

extension AccountDataRequest {
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
        case .contactPhoto: .contactsPhoto
        case .listRecents: .recentsList
        case .markRecentsSeen: .recentsMarkSeen
        case .removeRecents: .recentsRemove
        case .loadDirectory, .cancelDirectoryLoad: .directoryLoad
        case .setDirectoryEnabled: .directorySetEnabled
        case .reloadDirectory: .directoryReload
        case .directoryStatus: .directoryStatus
        case .erase: .accountErase
        }
    }
}
