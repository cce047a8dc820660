/// The methods that a client may call (docs/protocol.md, Requests).
public enum ClientMethod: String, Hashable, Sendable, CaseIterable {
    /// Signs in, or resumes a lost session.
    case sessionOpen = "session.open"
    /// Ends the session and its calls.
    case sessionClose = "session.close"
    /// Checks the connection.
    case sessionPing = "session.ping"
    /// Extends a session by a newer token.
    case sessionRefresh = "session.refresh"
    /// CXCallController.request.
    case transactionRequest = "transaction.request"
    /// CXAction.fulfill.
    case actionFulfill = "action.fulfill"
    /// CXAction.fail.
    case actionFail = "action.fail"
    /// The client's response to `provider.execute`.
    case providerExecuted = "provider.executed"
    /// CXProvider.configuration.
    case providerConfigure = "provider.configure"
    /// CXProvider.invalidate.
    case providerInvalidate = "provider.invalidate"
    /// CXProvider.reportNewIncomingCall.
    case providerReportNewIncomingCall = "provider.reportNewIncomingCall"
    /// CXProvider.reportCall(with:updated:).
    case providerReportCall = "provider.reportCall"
    /// CXProvider.reportCall(with:endedAt:reason:).
    case providerReportCallEnded = "provider.reportCallEnded"
    /// CXProvider.reportOutgoingCall.
    case providerReportOutgoingCall = "provider.reportOutgoingCall"
    /// CXProvider.pendingTransactions and pendingCallActions.
    case providerPending = "provider.pending"
    /// Sets the icon and the ringtone of the session's provider.
    case providerSetAppearance = "provider.setAppearance"
    /// Returns the account's providers.
    case providerList = "provider.list"
    /// Returns an icon or a ringtone of the account's providers.
    case providerMedia = "provider.media"
    /// CXCallObserver.calls.
    case observerCalls = "observer.calls"
    /// Returns the account's settings.
    case settingsGet = "settings.get"
    /// Changes the account's settings.
    case settingsSet = "settings.set"
    /// Returns the account's block list.
    case blockList = "block.list"
    /// Blocks a handle.
    case blockAdd = "block.add"
    /// Unblocks a handle.
    case blockRemove = "block.remove"
    /// Returns the account's contacts.
    case contactsList = "contacts.list"
    /// Adds or replaces a contact.
    case contactsPut = "contacts.put"
    /// Removes a contact.
    case contactsRemove = "contacts.remove"
    /// Returns the photo of a contact.
    case contactsPhoto = "contacts.photo"
    /// Returns the account's recent calls.
    case recentsList = "recents.list"
    /// Marks recent calls as seen by the user.
    case recentsMarkSeen = "recents.markSeen"
    /// Removes recent calls.
    case recentsRemove = "recents.remove"
    /// The entries that a CXCallDirectoryProvider adds to its context.
    case directoryLoad = "directory.load"
    /// Enables or disables a call directory.
    case directorySetEnabled = "directory.setEnabled"
    /// CXCallDirectoryManager.reloadExtension.
    case directoryReload = "directory.reload"
    /// CXCallDirectoryManager.getEnabledStatusForExtension.
    case directoryStatus = "directory.status"
    /// Returns the devices on which the account is signed in.
    case accountDevices = "account.devices"
    /// Ends the session of one of the account's devices.
    case accountSignOut = "account.signOut"
    /// Changes the account's password.
    case accountSetPassword = "account.setPassword"
    /// Erases the account's data.
    case accountErase = "account.erase"
    /// Returns the key that a browser subscribes with (RFC 8292).
    case pushKey = "push.key"
    /// Subscribes the device to push notifications by Web Push.
    case pushSubscribe = "push.subscribe"
    /// Unsubscribes the device from push notifications.
    case pushUnsubscribe = "push.unsubscribe"
    /// Returns the people of the house.
    case peopleList = "people.list"
    /// Subscribes the session to people's presence.
    case peopleSubscribe = "people.subscribe"
    /// Returns the photo of a person.
    case peoplePhoto = "people.photo"
    /// Reports that the device's user is away, or back.
    case presenceSet = "presence.set"
    /// Returns all calls of the hub.
    case adminCalls = "admin.calls"
    /// Returns all signed-in devices.
    case adminDevices = "admin.devices"
    /// Returns all accounts.
    case adminAccounts = "admin.accounts"
    /// Ends any call.
    case adminEndCall = "admin.endCall"
    /// Ends any session.
    case adminSignOut = "admin.signOut"
    /// Reloads the files that may change while the hub runs.
    case adminReload = "admin.reload"
    /// Stops the hub gracefully.
    case adminDrain = "admin.drain"
    /// Returns the state of the hub.
    case adminStatus = "admin.status"
    /// Returns values of the last hour.
    case adminHistory = "admin.history"
    /// Returns the handles of all accounts.
    case adminHandles = "admin.handles"
    /// Creates an account.
    case adminAddAccount = "admin.addAccount"
    /// Refuses or permits an account's sign-ins.
    case adminSetDisabled = "admin.setDisabled"
    /// Grants or withdraws the permission `admin`.
    case adminSetAdmin = "admin.setAdmin"
    /// Adds a handle to an account.
    case adminAddHandle = "admin.addHandle"
    /// Removes a handle from an account.
    case adminRemoveHandle = "admin.removeHandle"
    /// Removes an account.
    case adminRemoveAccount = "admin.removeAccount"
    /// Creates an invitation by which an account's user chooses a new password.
    case adminResetAccount = "admin.resetAccount"
    /// Makes a backup.
    case adminBackup = "admin.backup"
    /// Returns the audit log.
    case adminAudit = "admin.audit"
    /// Verifies the audit log.
    case adminVerifyAudit = "admin.verifyAudit"
    /// Describes an invitation to its receiver.
    case invitationShow = "invitation.show"
    /// Creates the account that an invitation offers.
    case invitationAccept = "invitation.accept"
    /// Creates an account without an invitation.
    case accountRegister = "account.register"
    /// Creates an invitation.
    case invitationsCreate = "invitations.create"
    /// Returns the invitations of the account, or of all.
    case invitationsList = "invitations.list"
    /// Revokes an invitation.
    case invitationsRevoke = "invitations.revoke"
    /// Returns a challenge for the sign-in by a passkey.
    case passkeyChallenge = "passkey.challenge"
    /// Returns a challenge by which a passkey confirms a request, in place of the password.
    case passkeysConfirm = "passkeys.confirm"
    /// Returns the options with which a browser makes a passkey.
    case passkeysCreate = "passkeys.create"
    /// Adds a passkey that a browser has made.
    case passkeysAdd = "passkeys.add"
    /// Returns the account's passkeys.
    case passkeysList = "passkeys.list"
    /// Renames a passkey.
    case passkeysRename = "passkeys.rename"
    /// Removes a passkey.
    case passkeysRemove = "passkeys.remove"
}

/// The methods of the hub's notifications (docs/protocol.md, Notifications).
public enum NotificationMethod: String, Hashable, Sendable, CaseIterable {
    /// CXProviderDelegate.providerDidBegin.
    case providerDidBegin = "provider.didBegin"
    /// CXProviderDelegate.providerDidReset.
    case providerDidReset = "provider.didReset"
    /// CXProviderDelegate.provider(_:execute:).
    case providerExecute = "provider.execute"
    /// CXProviderDelegate.provider(_:perform:).
    case providerPerform = "provider.perform"
    /// CXProviderDelegate.provider(_:timedOutPerforming:).
    case providerTimedOutPerforming = "provider.timedOutPerforming"
    /// CXProviderDelegate.provider(_:didActivate:).
    case providerDidActivateAudioSession = "provider.didActivateAudioSession"
    /// CXProviderDelegate.provider(_:didDeactivate:).
    case providerDidDeactivateAudioSession = "provider.didDeactivateAudioSession"
    /// CXCallObserverDelegate.callObserver(_:callChanged:).
    case callChanged = "call.changed"
    /// CXCallObserverDelegate.callObserver(_:callChanged:), of a call on another device of the account.
    case observerCallChanged = "observer.callChanged"
    /// The other party's DTMF digits.
    case callDTMF = "call.dtmf"
    /// The sources whose packets the hub sends to the client.
    case audioSources = "audio.sources"
    /// Audio packets that the hub has dropped.
    case audioPacketsDropped = "audio.packetsDropped"
    /// A notification to another device of the account, for a recorder.
    case recordTold = "record.told"
    /// Recents have changed.
    case recentsChanged = "recents.changed"
    /// The settings have changed.
    case settingsChanged = "settings.changed"
    /// The contacts have changed.
    case contactsChanged = "contacts.changed"
    /// The block list has changed.
    case blockChanged = "block.changed"
    /// A call directory is to be loaded again by the client that has its data.
    case directoryReloadRequested = "directory.reloadRequested"
    /// People that the session watches have changed.
    case peopleChanged = "people.changed"
    /// The providers of the account's devices have changed.
    case providersChanged = "providers.changed"
    /// The last message of a connection.
    case sessionClosing = "session.closing"
}
