import HubAccountData
import HubEngine

/// A value that is a fixed string on the wire.
protocol WireWord {
    var word: String { get }
    init?(word: String)
}

extension WireWord where Self: RawRepresentable, RawValue == String {
    var word: String { rawValue }
    init?(word: String) { self.init(rawValue: word) }
}

extension WireWord where Self: CaseIterable {
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

extension WireWord where Self: CaseIterable & RawRepresentable, RawValue == String {
    init?(word: String) { self.init(rawValue: word) }
}

extension ActionType: WireWord {}
extension ActionOrigin: WireWord {}
extension Fulfillment: WireWord {}
extension AudioDelivery: WireWord {}
extension Permission: WireWord {}
extension BuiltInParty: WireWord {}
extension OutgoingCallEvent: WireWord {}
extension EndCause: WireWord {}
extension CallSnapshot.State: WireWord {}
extension CallSnapshot.NameSource: WireWord {}
extension Choice.Name: WireWord {}
extension RecentCall.Outcome: WireWord {}
extension QuietHours.Weekday: WireWord {}

extension Handle.HandleType: WireWord {
    var word: String {
        switch self {
        case .generic: "generic"
        case .phoneNumber: "phoneNumber"
        case .emailAddress: "emailAddress"
        }
    }
}

extension DTMFType: WireWord {
    var word: String {
        switch self {
        case .singleTone: "singleTone"
        case .softPause: "softPause"
        case .hardPause: "hardPause"
        }
    }
}

extension EndReason: WireWord {
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
