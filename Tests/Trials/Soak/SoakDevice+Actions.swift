import HubClient

/// The actions that a device takes at random.
extension SoakDevice {
    /// Takes one action at random.
    func act(_ client: HubClient) async {
        if happens(settings.faults) { return await fail(client) }
        let calls = client.currentCalls
        if let ringing = calls.filter({ $0.state == .ringing }).randomElement(using: &random), happens(70) {
            return await choose(ringing, client)
        }
        if calls.isEmpty || (calls.count < 4 && happens(20)) { return await call(client) }
        await change(calls, client)
    }

    /// Requests one of the choices that an incoming call comes with.
    private func choose(_ call: CallSnapshot, _ client: HubClient) async {
        // Mostly it is answered: a call that is declined shows little that can go wrong.
        let likely = happens(80) ? call.choices.filter { $0.name != .decline } : call.choices
        guard let choice = (likely.isEmpty ? call.choices : likely).randomElement(using: &random) else { return }
        await ask(choice.name.rawValue) { () throws(HubClientError) in try await client.request(choice.actions) }
    }

    private func call(_ client: HubClient) async {
        let callee =
            switch randomNumber(0...99) {
            case ..<80: "p\(randomNumber(0...(accounts - 1)))"
            case ..<95: ["echo", "tone", "music"][randomNumber(0...2)]
            default: "nobody"
            }
        await ask("call") { () throws(HubClientError) in try await client.start(.generic(callee)) }
    }

    /// Changes one of the calls; the hub refuses a change that does not fit.
    private func change(_ calls: [CallSnapshot], _ client: HubClient) async {
        guard let one = calls.randomElement(using: &random), let other = calls.randomElement(using: &random) else {
            return
        }
        switch randomNumber(0...99) {
        case ..<22: await ask("end") { () throws(HubClientError) in try await client.end(one.uuid) }
        case ..<36: await ask("hold") { () throws(HubClientError) in try await client.setHeld(one.uuid, !one.isOnHold) }
        case ..<48: await ask("mute") { () throws(HubClientError) in try await client.setMuted(one.uuid, !one.isMuted) }
        case ..<60: await ask("swap") { () throws(HubClientError) in try await client.swap(one.uuid, with: other.uuid) }
        case ..<72:
            await ask("merge") { () throws(HubClientError) in try await client.setGroup(one.uuid, with: other.uuid) }
        case ..<78: await ask("split") { () throws(HubClientError) in try await client.setGroup(one.uuid, with: nil) }
        case ..<84: await ask("keys") { () throws(HubClientError) in try await client.playDTMF("19#", on: one.uuid) }
        case ..<90: await pull(client)
        case ..<94: await ask("pending") { () throws(HubClientError) in _ = try await client.pending() }
        case ..<97: await ask("recents") { () throws(HubClientError) in _ = try await client.recents(limit: 10) }
        default: await ask("end an unknown call") { () throws(HubClientError) in try await client.end(.random()) }
        }
    }

    /// Pulls a call from another device of the account.
    private func pull(_ client: HubClient) async {
        var elsewhere: [ObservedCall] = []
        await ask("look elsewhere") { () throws(HubClientError) in elsewhere = try await client.callsElsewhere() }
        guard let call = elsewhere.randomElement(using: &random) else { return }
        await ask("pull") { () throws(HubClientError) in try await client.pull(call.uuid) }
    }
}
