import HubAccountData
import HubEngine

// Encoding of an account's settings (docs/protocol.md, settings.get).

extension SettingsUpdate {
    func writeMembers(to params: inout JSONWriter) {
        params.optional("doNotDisturb", doNotDisturb) { $0.value($1) }
        if let quietHours { params.array("quietHours", quietHours) { $1.write(to: &$0) } }
        params.optional("quietHoursSkippedUntil", quietHoursSkippedUntil) { $0.value($1) }
        params.optional("timeZone", timeZone) { $0.value($1) }
        if let deviceDoNotDisturb { params.object("device") { $0.member("doNotDisturb", deviceDoNotDisturb) } }
        params.optional("displayName", displayName) { $0.value($1) }
        params.optional("isNamedInGroups", isNamedInGroups) { $0.value($1) }
        params.optional("isListed", isListed) { $0.value($1) }
        params.optional("acceptsTransferredStrangers", acceptsTransferredStrangers) { $0.value($1) }
        params.optional("holdAudio", holdAudio) { $0.value($1) }
        params.photoChange("photo", photo)
    }
}

extension DeviceSettings {
    func writeMembers(to result: inout JSONWriter) {
        result.member("doNotDisturb", doNotDisturb)
        result.array("quietHours", quietHours) { $1.write(to: &$0) }
        result.optional("quietHoursSkippedUntil", quietHoursSkippedUntil) { $0.value($1) }
        result.member("timeZone", timeZone)
        result.optional("hubTimeZone", hubTimeZone) { $0.value($1) }
        result.object("device") { $0.member("doNotDisturb", deviceDoNotDisturb) }
        result.member("displayName", displayName)
        result.member("isNamedInGroups", isNamedInGroups)
        result.member("isListed", isListed)
        result.member("acceptsTransferredStrangers", acceptsTransferredStrangers)
        result.member("holdAudio", holdAudio)
        result.optional("photoHash", photoHash) { $0.value($1) }
    }
}

extension QuietHours {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.array("days", Weekday.allCases.filter { days.contains($0) }) { $0.value($1) }
            writer.member("from", TimeOfDay.text(from))
            writer.member("to", TimeOfDay.text(to))
        }
    }
}
