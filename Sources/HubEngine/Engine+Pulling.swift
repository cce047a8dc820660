/// The move of a live call to another device of its account (docs/protocol.md, Pulling a call).
extension Engine {
    /// Moves a call to a device; the other party keeps its call as it is.
    mutating func pull(_ uuid: CallUUID, to session: SessionID) {
        guard let oldID = callOnOtherDevice(uuid, than: session), let old = calls[oldID], old.isConnected,
            let provider = sessions[session]?.configuration
        else { return }
        let newID = calls.insert(moved(old, to: session, provider: provider))
        removeLeg(oldID, CallEnd(reason: .answeredElsewhere, cause: .pulled, date: now))
        replace(oldID, by: newID, in: old.conversation)
        sessions[session]?.calls.append(newID)
        noteParticipantsChange(around: newID)
        holdOrEndActiveCalls(for: newID)
        notifyChange(newID)
        if old.isOnHold { notifyOtherParty(of: newID) }
        // The new device first: the other party's packets switch from one device to the other, without a gap.
        reconcileAudio(of: session)
        reconcileAudio(of: old.session)
    }

    private func moved(_ old: Call, to session: SessionID, provider: ProviderConfiguration) -> Call {
        var call = Call(
            uuid: old.uuid,
            session: session,
            conversation: old.conversation,
            isOutgoing: old.isOutgoing,
            state: old.state,
            remoteHandle: old.remoteHandle,
            overridingName: old.overridingName,
            guestName: old.guestName,
            names: old.names,
            invitation: old.invitation,
            invitationName: old.invitationName,
            capabilities: old.capabilities,
            hasVideo: old.hasVideo && provider.supportsVideo
        )
        call.transferor = old.transferor
        call.returned = old.returned
        call.isOnHold = false
        call.isMuted = old.isMuted
        call.startedAt = old.startedAt
        call.startedConnectingAt = old.startedConnectingAt
        return call
    }

    private mutating func replace(_ old: CallID, by new: CallID, in id: ConversationID) {
        guard let device = calls[new].flatMap({ sessions[$0.session] })?.opening.deviceID else { return }
        if conversations[id]?.caller == old {
            conversations[id]?.caller = new
            conversations[id]?.callerDevices.append(device)
        } else {
            conversations[id]?.phase = .connected(.call(new))
            conversations[id]?.calleeDevices.append(device)
        }
    }

    /// Indicates that another end of a call is on a device: with both, the device would receive its own audio.
    ///
    /// It may ring there still: a transferred call is connected meanwhile.
    func isFarEnd(of call: CallID, on session: SessionID) -> Bool {
        guard let conversation = conversation(of: call).flatMap({ conversations[$0] }) else { return false }
        return conversation.caller.map { $0 != call && self.session(of: $0) == session } == true
            || conversation.callees.contains { $0 != call && self.session(of: $0) == session }
    }

    /// Returns the call with this UUID on another device of the account, preferably a connected one.
    func callOnOtherDevice(_ uuid: CallUUID, than session: SessionID) -> CallID? {
        guard let account = account(of: session) else { return nil }
        let found = sessions(of: account).filter { $0 != session }.compactMap { call(uuid, of: $0) }
        return found.first { calls[$0]?.isConnected == true } ?? found.first
    }
}
