import HubAccountData
import HubEngine

/// A value that is a fixed string on the wire.
protocol WireKeyword {
    var keyword: String { get }
    init?(keyword: String)
}

extension WireKeyword where Self: RawRepresentable, RawValue == String {
    var keyword: String { rawValue }
    init?(keyword: String) { self.init(rawValue: keyword) }
}

extension WireKeyword where Self: CaseIterable {
    init?(keyword: String) {
        guard let value = Self.allCases.first(where: { $0.keyword == keyword }) else { return nil }
        self = value
    }

    /// All the strings, for an error message: `"a", "b" or "c"`.
    static var keywords: String {
        let quoted = allCases.map { "\"\($0.keyword)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension WireKeyword where Self: CaseIterable & RawRepresentable, RawValue == String {
    init?(keyword: String) { self.init(rawValue: keyword) }
}

extension ActionType: WireKeyword {}
extension ActionOrigin: WireKeyword {}
extension Fulfillment: WireKeyword {}
extension AudioDelivery: WireKeyword {}
extension Permission: WireKeyword {}
extension InvitationKind: WireKeyword {}
extension BuiltInParty: WireKeyword {}
extension HoldAudio: WireKeyword {}
extension HoldAudioChoice: WireKeyword {}
extension OutgoingCallEvent: WireKeyword {}
extension TranslationEngine: WireKeyword {}
extension EndCause: WireKeyword {}
extension CallSnapshot.State: WireKeyword {}
extension CallSnapshot.NameSource: WireKeyword {}
extension Choice.Name: WireKeyword {}
extension RecentCall.Outcome: WireKeyword {}
extension QuietHours.Weekday: WireKeyword {}

extension Handle.HandleType: WireKeyword {
    var keyword: String {
        switch self {
        case .generic: "generic"
        case .phoneNumber: "phoneNumber"
        case .emailAddress: "emailAddress"
        }
    }
}

extension DTMFType: WireKeyword {
    var keyword: String {
        switch self {
        case .singleTone: "singleTone"
        case .softPause: "softPause"
        case .hardPause: "hardPause"
        }
    }
}

extension EndReason: WireKeyword {
    var keyword: String {
        switch self {
        case .failed: "failed"
        case .remoteEnded: "remoteEnded"
        case .unanswered: "unanswered"
        case .answeredElsewhere: "answeredElsewhere"
        case .declinedElsewhere: "declinedElsewhere"
        }
    }
}

extension EndReason {
    /// The string on the wire, for event logs, metrics and the log.
    package var name: String { keyword }
}
