import BrowserKit
import Foundation

/// The hub's own account of the calls: its call detail records.
struct HubAccount {
    private let file: String

    init(of file: String) { self.file = file }

    /// The records of the calls that have ended.
    var records: [JSON] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { try? JSON(reading: $0.utf8) }
    }

    /// Returns the deeds of an account that no act of its page's log explains, in words.
    func unmeant(by account: String, _ acts: [JSON]) -> [String] {
        let log = acts.map(Act.init)
        // A transferred call is in several records, and was placed or answered in the first one.
        var known: Set<String> = []
        return records.sorted { Self.time($0["startedAt"]) < Self.time($1["startedAt"]) }.flatMap { record in
            record["legs"].elements.filter { $0["account"].text == account }.flatMap { leg in
                let isFirst = known.insert(leg["call"].text ?? "").inserted
                return Self.deeds(of: leg, in: record)
                    .filter { deed in (isFirst || deed.kind == .ended) && !log.contains { $0.explains(deed) } }
                    .map { "\(account) has \($0.kind.rawValue) \($0.call), unknown to its page's log: \(record)" }
            }
        }
    }

    /// An act of a device on a call.
    private struct Deed {
        enum Kind: String { case placed, answered, ended }
        let kind: Kind
        let call: String
        /// In milliseconds since 1970.
        let at: Double
        /// Indicates a call of its own that nobody has answered.
        let isUnanswered: Bool
    }

    private static func deeds(of leg: JSON, in record: JSON) -> [Deed] {
        let call = leg["call"].text ?? ""
        let isCaller = leg["role"] == "caller"
        let isAnswered = leg["connectedAt"] != .null
        var deeds: [Deed] = []
        func add(_ kind: Deed.Kind, _ at: JSON) {
            deeds.append(Deed(kind: kind, call: call, at: time(at), isUnanswered: isCaller && !isAnswered))
        }
        if isCaller { add(.placed, record["startedAt"]) }
        if !isCaller, isAnswered { add(.answered, leg["connectedAt"]) }
        // Of a transfer each party's leg ends; the probe judges the act itself.
        if leg["endedReason"] == .null, leg["cause"] != "transferred" { add(.ended, leg["endedAt"]) }
        return deeds
    }

    private static func time(_ text: JSON) -> Double {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return ((try? Date(text.text ?? "", strategy: format))?.timeIntervalSince1970 ?? 0) * 1_000
    }

    /// An entry of the page's log.
    private struct Act {
        /// In milliseconds: a request is repeated while the connection is lost.
        private static let longestDelay = 40_000.0

        /// In milliseconds, of a call that takes another one's place.
        private static let longestStart = 10_000.0

        let name: String
        let calls: [String]
        let at: Double

        init(_ entry: JSON) {
            name = entry["act"].text ?? ""
            calls = entry["calls"].elements.compactMap(\.text)
            at = entry["at"].number ?? 0
        }

        private var isChoice: Bool { name.lowercased().contains("accept") || name.lowercased().contains("answer") }

        func explains(_ deed: Deed) -> Bool {
            guard at <= deed.at + 100, deed.at - at < Self.longestDelay else { return false }
            let isOfCall = calls.contains(deed.call)
            switch deed.kind {
            case .placed: return isOfCall && ["call", "check"].contains(name)
            case .answered: return isOfCall && (isChoice || name == "pull")
            case .ended:
                // A call that nobody has answered yet ends with the next one's start.
                if name == "call" { return !isOfCall && deed.isUnanswered && deed.at - at < Self.longestStart }
                if isChoice { return !isOfCall && name.lowercased().contains("end") }
                return isOfCall && ["end", "decline", "check", "signOut", "account.erase"].contains(name)
            }
        }
    }
}
