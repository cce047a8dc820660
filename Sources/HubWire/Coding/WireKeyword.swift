import HubAccountData
import HubEngine

/// A value that is a fixed string on the wire.
protocol WireKeyword {
    var word: String { get }
    init?(word: String)
}

extension WireKeyword where Self: RawRepresentable, RawValue == String {
    var word: String { rawValue }
    init?(word: String) { self.init(rawValue: word) }
}

extension WireKeyword where Self: CaseIterable {
    init?(word: String) {
        guard let value = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = value
    }

    /// All the strings, for an error message: `"a", "b" or "c"`.
    static var words: String {
        let quoted = allCases.map { "\"\($0.word)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension WireKeyword where Self: CaseIterable & RawRepresentable, RawValue == String {
    init?(word: String) { self.init(rawValue: word) }
}

extension ActionType: WireKeyword {}
extension ActionOrigin: WireKeyword {}
extension Fulfillment: WireKeyword {}
extension AudioDelivery: WireKeyword {}
extension Permission: WireKeyword {}
extension BuiltInParty: WireKeyword {}
extension OutgoingCallEvent: WireKeyword {}
extension EndCause: WireKeyword {}
extension CallSnapshot.State: WireKeyword {}
extension CallSnapshot.NameSource: WireKeyword {}
extension Choice.Name: WireKeyword {}
extension RecentCall.Outcome: WireKeyword {}
extension QuietHours.Weekday: WireKeyword {}

extension Handle.HandleType: WireKeyword {
    var word: String {
        switch self {
        case .generic: "generic"
        case .phoneNumber: "phoneNumber"
        case .emailAddress: "emailAddress"
        }
    }
}

extension DTMFType: WireKeyword {
    var word: String {
        switch self {
        case .singleTone: "singleTone"
        case .softPause: "softPause"
        case .hardPause: "hardPause"
        }
    }
}

extension EndReason: WireKeyword {
    var word: String {
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
    /// The string on the wire, for recordings, metrics and the log.
    package var name: String { word }
}
