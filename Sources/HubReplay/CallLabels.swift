import CommandLineTools
import HubEngine
import HubWire

/// Short names for calls, `#1`, `#2` …, in order of appearance, since a UUID in each line is hard to read.
final class CallLabels {
    private var numbers: [CallUUID: Int] = [:]
    private var mentioned: [CallUUID] = []
    private var introduced: Set<CallUUID> = []

    subscript(_ uuid: CallUUID) -> String {
        let number = numbers[uuid] ?? numbers.count + 1
        numbers[uuid] = number
        mentioned.append(uuid)
        return "#\(number)"
    }

    func list(_ uuids: [CallUUID]) -> String { uuids.map { self[$0] }.joined(separator: ", ") }

    /// The full names of the calls mentioned since the last time, each once.
    ///
    /// `isShown`: true if the line that mentioned them is shown.
    func callLegends(isShown: Bool) -> [String] {
        defer { mentioned = [] }
        guard isShown else { return [] }
        return mentioned.compactMap { uuid in
            introduced.insert(uuid).inserted ? "\(self[uuid]) is call \(uuid.uuidText)" : nil
        }
    }
}

extension ActionKind {
    /// The action in words, with its call's short name.
    func text(_ call: CallUUID, _ labels: CallLabels) -> String {
        let base = "\(typeName) \(labels[call])"
        switch self {
        case .start(let handle, let isVideo, _, let isExternal):
            return base + " to \(handle.text)" + (isVideo ? ", video" : "") + (isExternal ? ", external" : "")
        case .answer, .end, .pull, .unknown: return base
        case .endHere: return base + ", on this device alone"
        case .decline(let message, let onlyHere):
            return base + (onlyHere ? ", on this device alone" : "") + ", message \(quoted(message))"
        case .setHeld(let isOn), .setMuted(let isOn), .setTranslating(let isOn, _, _):
            return base + (isOn ? " on" : " off")
        case .setGroup(let other): return base + (other.map { " with \(labels[$0])" } ?? " out of its group")
        case .transfer(.call(let other)): return base + " to \(labels[other])"
        case .transfer(.handle(let handle)): return base + " to \(handle.text)"
        case .playDTMF(let digits, let type): return base + " \(digits)" + (type == .singleTone ? "" : ", \(type)")
        }
    }
}

extension Instant {
    /// The time of day in UTC, to the microsecond.
    var timeText: String { String(RFC3339.text(of: self, fractionDigits: 6).dropFirst(11).dropLast()) }

    /// The day in UTC.
    var dayText: String { String(RFC3339.text(of: self).prefix(10)) }
}

extension String {
    /// The name of a device, `account/device`, with a UUID cut to its first eight digits.
    ///
    /// A client without a name of its own is given a UUID.
    var shortDevice: String {
        guard let slash = lastIndex(of: "/") else { return self }
        let device = String(self[index(after: slash)...])
        guard let uuid = RecentUUID(uuidText: device) else { return self }
        return self[...slash] + uuid.shortText
    }
}
