public import CallSystem

extension Terminal {
    /// Adds the commands of the system's call screen, which an iPhone has beside the app.
    ///
    /// - Parameter system: The system of the app.
    public func addScreen(of system: CallSystem) {
        let user = system.user
        add("screen", "", "lists the calls of the system's call screen") { [unowned self] _ in
            for call in user.calls { print("screen: \(call.summary)") }
            if user.calls.isEmpty { print("screen: no calls") }
        }
        add("tap", "BUTTON", "taps accept, decline, holdAndAccept, endAndAccept, end, hold, resume, swap, mute, …") {
            try await user.tap($0[0])
        }
    }
}

extension CallScreen {
    fileprivate func tap(_ button: String) async throws {
        switch button {
        case "end": try await end()
        case "hold": try await hold()
        case "resume": try await resume()
        case "swap": try await swap()
        case "merge": try await merge()
        case "mute": try await mute()
        case "unmute": try await mute(false)
        case "decline": try await decline()
        case "accept": try await answer()
        default:
            guard let choice = ScreenCall.Choice(rawValue: button) else {
                throw TerminalError("The call screen has no button \(button).")
            }
            try await choose(choice)
        }
    }
}

extension ScreenCall {
    fileprivate var summary: String {
        var words = [name, state.rawValue]
        if isMuted { words.append("muted") }
        if isHeldByOther { words.append("held by the other end") }
        if !group.isEmpty { words.append("in a group") }
        let buttons = choices.map(\.rawValue).joined(separator: ", ")
        return words.joined(separator: ", ") + (buttons.isEmpty ? "" : " [\(buttons)]")
    }
}
