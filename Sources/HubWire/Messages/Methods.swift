/// The methods that a client may call (docs/protocol.md, Requests).
public enum ClientMethod: String, Hashable, Sendable, CaseIterable {
    /// Signs in, or takes up a lost session.
    case sessionOpen = "session.open"
    /// Ends the session and its calls.
    case sessionClose = "session.close"
    /// Asks for a sign of life.
    case sessionPing = "session.ping"
    /// Lets a session live on with a newer token.
    case sessionRefresh = "session.refresh"
    /// CXCallController.request.
    case transactionRequest = "transaction.request"
    /// CXAction.fulfill.
    case actionFulfill = "action.fulfill"
    /// CXAction.fail.
    case actionFail = "action.fail"
    /// The answer to `provider.execute`.
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
    /// CXCallObserver.calls.
    case observerCalls = "observer.calls"
    /// The account's settings.
    case settingsGet = "settings.get"
    /// Changes the account's settings.
    case settingsSet = "settings.set"
    /// The account's block list.
    case blockList = "block.list"
    /// Blocks a handle.
    case blockAdd = "block.add"
    /// Blocks a handle no longer.
    case blockRemove = "block.remove"
    /// The account's contacts.
    case contactsList = "contacts.list"
    /// Adds or replaces a contact.
    case contactsPut = "contacts.put"
    /// Removes a contact.
    case contactsRemove = "contacts.remove"
    /// The account's last calls.
    case recentsList = "recents.list"
    /// Says that the user has seen them.
    case recentsMarkSeen = "recents.markSeen"
    /// Removes some of them.
    case recentsRemove = "recents.remove"
    /// What a CXCallDirectoryProvider gives its context.
    case directoryLoad = "directory.load"
    /// Lets a directory extension's entries be used or not.
    case directorySetEnabled = "directory.setEnabled"
    /// CXCallDirectoryManager.getEnabledStatusForExtension.
    case directoryStatus = "directory.status"
    /// The devices on which the account is signed in.
    case accountDevices = "account.devices"
    /// Ends the session of one of them.
    case accountSignOut = "account.signOut"
    /// Erases all that is remembered of the account.
    case accountErase = "account.erase"
    /// The key that a browser subscribes with (RFC 8292).
    case pushKey = "push.key"
    /// Has the hub wake the device by Web Push.
    case pushSubscribe = "push.subscribe"
    /// Has the hub wake it no longer.
    case pushUnsubscribe = "push.unsubscribe"
    /// All calls of the hub.
    case adminCalls = "admin.calls"
    /// All devices that are signed in.
    case adminDevices = "admin.devices"
    /// All accounts.
    case adminAccounts = "admin.accounts"
    /// Ends somebody's call.
    case adminEndCall = "admin.endCall"
    /// Ends somebody's session.
    case adminSignOut = "admin.signOut"
    /// Reads again what may change while the hub runs.
    case adminReload = "admin.reload"
    /// Stops the hub in good order.
    case adminDrain = "admin.drain"
}

/// The methods by which the hub tells a client something (docs/protocol.md, Notifications).
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
    /// Digits that the other party keyed.
    case callDTMF = "call.dtmf"
    /// Whose packets this client hears now.
    case audioSources = "audio.sources"
    /// What another device of the account was told.
    case recordTold = "record.told"
    /// Recents have changed.
    case recentsChanged = "recents.changed"
    /// The settings have changed.
    case settingsChanged = "settings.changed"
    /// The contacts have changed.
    case contactsChanged = "contacts.changed"
    /// The block list has changed.
    case blockChanged = "block.changed"
    /// The last message of a connection.
    case sessionClosing = "session.closing"
}
