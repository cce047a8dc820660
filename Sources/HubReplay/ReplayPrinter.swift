import HubEngine
import HubWire

/// Prints replayed events: as text for people, or as one JSON object a line for programs.
struct ReplayPrinter {
    private let json: Bool
    /// The account, or the `account/device`, whose events are printed; nil: all.
    private let device: String?
    /// The version of the replaying program.
    private let version: String
    private let write: (String) -> Void
    private let labels = CallLabels()
    private var day = ""
    private var width = 12
    /// Indicates that anything of the requested device was printed.
    private(set) var hasShown = false

    init(json: Bool, device: String?, version: String, write: @escaping (String) -> Void) {
        self.json = json
        self.device = device
        self.version = version
        self.write = write
    }

    mutating func begin(_ name: String, _ header: EventLogHeader) {
        guard !json else { return }
        line("\(name): what came into a hub (node \(header.node), version \(header.hubVersion)); times are in UTC")
        guard header.hubVersion != version else { return }
        line("This is version \(version): where its rules are others, so is what follows.")
    }

    mutating func show(_ event: ReplayedEvent) {
        let isShown = isWanted(event.device) || event.effects.contains { isWanted($0.device) }
        hasShown = hasShown || isShown
        guard !json else {
            guard isShown || !event.violations.isEmpty else { return }
            var shown = event
            shown.effects = event.effects.filter { isWanted($0.device) }
            return writeJSON { shown.encode(into: &$0) }
        }
        // Computed even for events that are not shown, so that a call's number does not depend on the filter.
        let received = event.receivedText(labels)
        var callLegends = labels.callLegends(isShown: isShown)
        if isShown || !event.violations.isEmpty {
            startDay(event.entry.time)
            line("\(pad(String(event.line), 6, right: true))  \(event.entry.time.timeText)  \(received)")
        }
        for effect in event.effects {
            let text = effect.text(labels)
            let isShown = isWanted(effect.device)
            callLegends += labels.callLegends(isShown: isShown)
            if isShown { line(column(effect.device?.shortDevice ?? "the hub") + text) }
        }
        for introduction in callLegends { line(column("") + introduction) }
        for violation in event.violations { line(column("RULE BROKEN") + violation) }
    }

    /// Prints the summary.
    mutating func end(_ replay: Replay, events: Int, isCutOff: Bool, hubVersion: String) {
        guard !json else {
            return writeJSON { bytes in
                ReplaySummary(
                    events: events,
                    devices: replay.devices,
                    violations: replay.violationCount,
                    isCutOff: isCutOff,
                    hubVersion: hubVersion
                ).encode(into: &bytes)
            }
        }
        if isCutOff { line("\nThe last line is not complete: what came then was not written whole, and is left out.") }
        line(
            "\n\(count(events, "event")), \(count(replay.devices.count, "device")), "
                + (replay.violationCount == 0 ? "no rule broken." : "\(count(replay.violationCount, "broken rule")).")
        )
    }

    private func isWanted(_ name: String?) -> Bool {
        guard let device else { return true }
        guard let name else { return false }
        return name == device || name.shortDevice == device || name.hasPrefix(device + "/")
    }

    // MARK: Lines

    private mutating func startDay(_ time: Instant) {
        guard time.dayText != day else { return }
        day = time.dayText
        line("\n\(day)")
    }

    private mutating func column(_ name: String) -> String {
        width = max(width, min(name.count, 40))
        return pad("", 25) + pad(name, width) + "  "
    }

    private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return right ? space + text : text + space
    }

    private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Names are untrusted: they must not move the cursor or change the colours.
    private func line(_ text: String) {
        let isPlain = { (character: Character) in
            character == "\n" || character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        write(String(text.map { isPlain($0) ? $0 : "?" }) + "\n")
    }

    private func writeJSON(_ encode: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        encode(&bytes)
        write(String(decoding: bytes, as: UTF8.self))
    }
}
