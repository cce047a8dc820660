import HubAccountData
import HubClient
import HubWire

/// The sound for those whom the user holds (rule CH-09).
extension Phone {
    /// Has the hub store the user's choice.
    func chooseHoldAudio(_ choice: HoldAudioChoice) {
        let post = post
        ask { client in
            _ = try await client.send(.accountData(.setSettings(SettingsUpdate(holdAudio: choice))))
            post.yield(.holdAudioChosen(choice))
        }
    }

    /// Reports the answer to `onhold`.
    func reportHoldAudio(_ choice: HoldAudioChoice) {
        let sentence =
            switch choice {
            case .hub: "Those whom you hold hear what the hub has chosen."
            case .silence: "Those whom you hold hear nothing."
            case .tone: "Those whom you hold hear a tone every ten seconds."
            case .music: "Those whom you hold hear music."
            }
        reporter.report(PhoneEvent(event: "onhold", sound: choice.rawValue), sentence)
    }
}
