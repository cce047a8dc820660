import CommandLineTools
import HubClient
import HubEngine
import HubWire

// Handling of the lines that are typed, or written by a script.
extension Phone {
    /// Performs a typed line.
    func typed(_ line: String) {
        do throws(UsageError) {
            let verbs = isOperator ? TypedCommand.operatorVerbs : TypedCommand.verbs
            let command = try TypedCommand(line, suggesting: verbs)
            try check(command)
            let expected = isOperator ? try effect(of: command) : nil
            try perform(command)
            if let expected { awaitEffect(expected) }
        } catch {
            fail(error.message)
        }
    }

    private func perform(_ command: TypedCommand) throws(UsageError) {
        switch command {
        case .nothing:
            if let link = settings.link { pressKey(of: link) }
        case .call(let handle):
            place(handle)
        case .answer(let which):
            answer(try pick(which, "that rings") { $0.state == .ringing })
        case .choose(let choice, let which): try choose(choice, which)
        case .hold(let which):
            let call = try pick(which, "to be held") { $0.state == .connected }.uuid
            ask { client in try await client.setHeld(call, true) }
        case .resume(let which):
            let call = try pick(which, "on hold") { $0.state == .held }.uuid
            ask { client in try await client.setHeld(call, false) }
        case .swap:
            let active = try pick(nil, "to be held") { $0.state == .connected }.uuid
            let held = try pick(nil, "on hold") { $0.state == .held }.uuid
            ask { client in try await client.swap(active, with: held) }
        case .mute(let which): try mute(which, true)
        case .unmute(let which): try mute(which, false)
        case .merge(let which): try merge(which)
        case .split(let which): try split(which)
        case .transfer(let names): try transfer(names)
        case .pull(let which): fetchCallsOnOtherDevices(toPull: which)
        case .keys(let keys): try key(keys)
        case .go: try playWaitingKeys()
        case .end(let which): try end(which)
        case .decline(let text): try decline(text)
        case .dismiss(let which): try dismiss(which)
        case .calls: listCalls()
        case .recents: fetchRecents()
        case .redial(let number): redial(number)
        case .people(let search): fetchPeople(search)
        case .away(let isAway): setAway(isAway)
        case .skip: skipQuietHours()
        case .onHold(let choice): chooseHoldAudio(choice)
        case .ping: measureRoundTrip()
        case .wait(let seconds): wait(seconds: seconds)
        case .help:
            let list = isOperator ? TypedCommand.operatorList : TypedCommand.list
            reporter.report(PhoneEvent(event: "message", message: list), list)
        case .quit:
            quit()
        }
    }

    /// Takes one of the hub's choices for a call that rings.
    private func choose(_ choice: String, _ which: String?) throws(UsageError) {
        let call = try pick(which, "that rings") { $0.state == .ringing }
        let name = choice.lowercased()
        guard let chosen = call.choices.first(where: { $0.name.rawValue.lowercased() == name }) else {
            let names = call.choices.map(\.name.rawValue).joined(separator: ", ")
            throw UsageError(
                names.isEmpty ? "\(call.shownName) does not call." : "The call has the choices \(names); choose one."
            )
        }
        ask { client in try await client.request(chosen.actions) }
    }

    private func mute(_ which: String?, _ isMuted: Bool) throws(UsageError) {
        let call = try pick(which, isMuted ? "to be muted" : "that is muted") { $0.isMuted != isMuted }.uuid
        ask { client in try await client.setMuted(call, isMuted) }
    }

    private func end(_ which: String?) throws(UsageError) {
        if which?.lowercased() == "all" {
            let actions = calls.map { ActionRequest(callUUID: $0.uuid, kind: .end) }
            guard !actions.isEmpty else { throw UsageError("There is no call to be ended.") }
            return ask { client in try await client.request(actions) }
        }
        let call = try callToEnd(which).uuid
        ask { client in try await client.end(call) }
    }

    /// Returns the call that `end` means: without a name the connected one, else one that rings, calls, or is on hold.
    func callToEnd(_ which: String?) throws(UsageError) -> CallSnapshot {
        let order: [CallSnapshot.State] = [.connected, .ringing, .starting, .connecting, .held]
        let likeliest = order.first { state in calls.contains { $0.state == state } }
        return try pick(which, "to be ended") { which != nil || $0.state == likeliest }
    }

    /// Declines the call that rings, with a text for the caller, or the call that the text names.
    private func decline(_ text: String) throws(UsageError) {
        guard !isName(text) else { return try end(text) }
        let call = try pick(nil, "that rings") { $0.state == .ringing }.uuid
        ask { client in try await client.end(call, message: text) }
    }

    /// Stops the ringing of a call on this device only.
    private func dismiss(_ which: String?) throws(UsageError) {
        let call = try pick(which, "that rings") { $0.state == .ringing }.uuid
        ask { client in try await client.end(call, onlyHere: true) }
    }

    /// Reports the calls in the order in which they came.
    func listCalls() {
        let groups = groups
        let lines = calls.enumerated().map { index, call in
            var words = ["\(index + 1)  \(call.shownName)  \(call.state.rawValue)"]
            if call.isMuted { words.append("muted") }
            if !call.choices.isEmpty {
                words.append("choices: " + call.choices.map(\.name.rawValue).joined(separator: " "))
            }
            if let group = call.group, let number = groups.firstIndex(of: group) {
                words.append(groups.count > 1 ? "in group \(number + 1)" : "in the group")
            }
            return words.joined(separator: ", ")
        }
        reporter.report(
            PhoneEvent(event: "calls", calls: calls.map(PhoneCall.init)),
            lines.isEmpty ? "There are no calls." : lines.joined(separator: "\n")
        )
    }

    /// Finds a call by its number in the list, its handle or name; without any of them, the last that fits.
    func pick(
        _ which: String?,
        _ words: String,
        _ fits: (CallSnapshot) -> Bool
    ) throws(UsageError) -> CallSnapshot {
        guard let which else {
            guard let call = calls.last(where: fits) else { throw UsageError("There is no call \(words).") }
            return call
        }
        let named = calls(named: which)
        guard let call = named.last(where: fits) ?? named.last else {
            throw UsageError("There is no call \(quoted(which)); `calls` lists them.")
        }
        return call
    }

    /// Indicates that a word is a call's number in the list, its handle or name.
    func isName(_ word: String) -> Bool { !calls(named: word).isEmpty }

    /// Returns the calls with a number in the list, a handle or a name.
    func calls(named word: String) -> [CallSnapshot] {
        if let number = Int(word), number > 0, number <= calls.count { return [calls[number - 1]] }
        let name = FoldedName(word)
        return calls.filter { call in
            [call.remoteHandle.text, call.remoteHandle.value, call.localizedCallerName]
                .contains { FoldedName($0) == name }
        }
    }
}
