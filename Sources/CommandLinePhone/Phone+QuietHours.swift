import CommandLineTools
import HubAccountData
import HubClient
import HubEngine
import HubWire

// The end of the user's quiet hours, for once.
extension Phone {
    /// Has the hub skip the present quiet hours; their end is that of the user's own presence.
    func skipQuietHours() {
        let post = post
        let handles = client.session.map { Array($0.handles.prefix(1)) } ?? []
        ask { client in
            let presence = try await client.watchPeople(handles).first?.presence
            _ = try await client.watchPeople([])
            guard case .doNotDisturb(let end?) = presence else {
                post.yield(.quietHoursSkipped(until: nil))
                return
            }
            let update = SettingsUpdate(quietHoursSkippedUntil: end)
            _ = try await client.send(.accountData(.setSettings(update)))
            post.yield(.quietHoursSkipped(until: end))
        }
    }

    /// Reports the answer to `skip`.
    func reportSkipped(until end: Instant?) {
        guard let end else { return reporter.failure("There are no quiet hours at present that have an end.") }
        let date = RFC3339.text(of: end)
        reporter.report(
            PhoneEvent(event: "skipped", until: date),
            "Calls ring; the quiet hours do not apply until \(date)."
        )
    }
}
