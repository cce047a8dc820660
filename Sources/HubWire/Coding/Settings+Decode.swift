import HubAccountData
import HubEngine

// Decoding of an account's settings (docs/protocol.md, settings.get).

extension SettingsUpdate {
    init(_ params: JSONMembers) throws(JSONMemberError) {
        self.init(
            doNotDisturb: try params.optionalFlag("doNotDisturb"),
            quietHours: try params.quietHours("quietHours"),
            quietHoursSkippedUntil: try params.optionalDate("quietHoursSkippedUntil"),
            timeZone: try params.timeZone("timeZone"),
            deviceDoNotDisturb: try params.object("device", "be an object").optionalFlag("doNotDisturb"),
            displayName: try params.isNull("displayName") ? nil : params.shownName("displayName"),
            isNamedInGroups: try params.optionalFlag("isNamedInGroups"),
            isListed: try params.optionalFlag("isListed"),
            acceptsTransferredStrangers: try params.optionalFlag("acceptsTransferredStrangers"),
            holdAudio: try params.optionalWord("holdAudio"),
            photo: try params.photoChange("photo")
        )
        // Others are shown it: a small file can be an image that takes gigabytes of a browser's memory.
        if case .replace(let photo) = photo, !photo.isSmall {
            let requirement = "be an image of at most \(Photo.maximumSide) by \(Photo.maximumSide) pixels"
            throw params.fault("photo", .invalidValue, requirement)
        }
    }
}

extension DeviceSettings {
    /// Decodes a hub's settings, in which an older hub leaves out some.
    init(_ result: JSONMembers) throws(JSONMemberError) {
        self.init()
        doNotDisturb = try result.flag("doNotDisturb")
        quietHours = try result.quietHours("quietHours") ?? []
        quietHoursSkippedUntil = try result.optionalDate("quietHoursSkippedUntil")
        timeZone = try result.optionalText("timeZone") ?? ""
        hubTimeZone = try result.optionalText("hubTimeZone")
        deviceDoNotDisturb = try result.object("device", "be an object").optionalFlag("doNotDisturb") ?? false
        displayName = try result.text("displayName")
        isNamedInGroups = try result.optionalFlag("isNamedInGroups") ?? true
        isListed = try result.optionalFlag("isListed") ?? true
        acceptsTransferredStrangers = try result.optionalFlag("acceptsTransferredStrangers") ?? true
        // An unknown keyword is a newer hub's.
        holdAudio = try result.optionalText("holdAudio").flatMap(HoldAudioChoice.init(rawValue:)) ?? .hub
        photoHash = try result.optionalText("photoHash")
    }
}

private struct DecodedQuietHours: JSONDecodable {
    let hours: QuietHours

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let requirement = "be an array of days of the week, \"monday\" to \"sunday\""
        let days = try members.required("days", as: [DecodedWeekday].self, requirement).map(\.day)
        guard !days.isEmpty else { throw members.fault("days", .invalidValue, requirement) }
        hours = QuietHours(days: Set(days), from: try members.timeOfDay("from"), to: try members.timeOfDay("to"))
    }
}

private struct DecodedWeekday: JSONDecodable {
    let day: QuietHours.Weekday

    init(_ value: JSONValue) throws(JSONMemberError) {
        let requirement = "be \(QuietHours.Weekday.keywords)"
        guard let keyword = try String(value) else { throw JSONMemberError(.wrongType, value, requirement) }
        guard let day = QuietHours.Weekday(keyword: keyword) else {
            throw JSONMemberError(.invalidValue, value, requirement)
        }
        self.day = day
    }
}

extension JSONMembers {
    fileprivate func quietHours(_ name: String) throws(JSONMemberError) -> [QuietHours]? {
        let requirement = "be an array of at most \(maximumQuietHours) {\"days\", \"from\", \"to\"}"
        guard let read = try optional(name, as: [DecodedQuietHours].self, requirement) else { return nil }
        guard read.count <= maximumQuietHours else { throw fault(name, .invalidValue, requirement) }
        return read.map(\.hours)
    }

    fileprivate func timeOfDay(_ name: String) throws(JSONMemberError) -> Int {
        try required(name, "be a time of day from 00:00 to 23:59, like \"22:00\"", from: TimeOfDay.minutes)
    }

    /// The name of a time zone of the tz database, or an empty string; the hub checks that there is such a zone.
    fileprivate func timeZone(_ name: String) throws(JSONMemberError) -> String? {
        try optional(name, "be the name of a time zone, like \"Europe/Berlin\", or empty") { text in
            text.utf8.count <= maximumTimeZoneBytes && text.utf8.allSatisfy(Self.isOfTimeZone) ? text : nil
        }
    }

    /// Letters, digits and the other characters of these names; no period, so that no name leads to another folder.
    private static func isOfTimeZone(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"),
            UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: byte.isDigit
        }
    }
}

/// The maximum number of an account's quiet hours.
///
/// More: odder weeks; each is checked for every call to the account.
private let maximumQuietHours = 32

/// The maximum length of a time zone's name in bytes: the longest of the tz database has 30.
private let maximumTimeZoneBytes = 64
