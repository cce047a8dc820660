/// The hub's sound for parties on hold (rule CH-09; protocol.md, On hold).
extension Engine {
    /// The hold audio of a device, and the device's own call on which it is received.
    struct Hold {
        var call: CallID
        var source: HoldSource
    }

    /// Sets the sound that the account's held parties receive, from now on.
    mutating func setHoldAudio(of name: String, _ audio: HoldAudio) {
        guard let account = account(named: name), holdAudio(of: account) != audio else { return }
        accounts[account]?.holdAudio = audio
        for session in sessions(of: account) { reconcileAudio(of: session) }
    }

    /// Returns the hold audio that a device with an active audio session receives now; nil: none.
    ///
    /// Only for a device that nobody is audible to: music that one member of a group plays would disturb the others. Of
    /// several holders the first one's is played. The SSRC stays the same as long as holder and sound do.
    mutating func nextHold(of session: SessionID) -> Hold? {
        guard sessions[session]?.audio != nil, var hold = hold(of: session) else { return nil }
        if let former = sessions[session]?.route.holdSource, former.audio == hold.source.audio,
            former.account == hold.source.account
        {
            hold.source = former
        } else {
            hold.source.ssrc = identifiers.ssrc()
        }
        return hold
    }

    /// Returns the hold audio of the first of a device's active calls whose other end holds it, without an SSRC.
    private func hold(of session: SessionID) -> Hold? {
        for call in calls(of: session) where hasFocus(call) && state(of: call)?.isConnected == true {
            guard let other = otherCall(than: call), isOnHold(other), let holder = self.session(of: other),
                let account = account(of: holder), let name = accountName(of: holder)
            else { continue }
            let audio = holdAudio(of: account)
            guard audio != .silence else { continue }
            return Hold(call: call, source: HoldSource(audio: audio, account: name, ssrc: 0))
        }
        return nil
    }

    /// Returns the source that the client of a held party is shown: the built-in party that plays the same.
    func source(_ hold: Hold) -> AudioSource? {
        guard let uuid = uuid(of: hold.call), let party = hold.source.audio.party else { return nil }
        return AudioSource(
            ssrc: hold.source.ssrc,
            callUUID: uuid,
            handle: party.handle,
            name: party.rawValue,
            isHoldAudio: true
        )
    }

    private func holdAudio(of account: AccountID) -> HoldAudio { accounts[account]?.holdAudio ?? .silence }
}
