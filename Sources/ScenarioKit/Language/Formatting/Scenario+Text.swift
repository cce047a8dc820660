extension Scenario {
    /// The lines before the first step.
    var headerLines: [String] {
        var lines = ["scenario \(LineFormat.title(title))"]
        if !proves.isEmpty { lines.append("proves \(proves.map(LineFormat.word).joined(separator: ", "))") }
        lines += variant.map { "# \(LineFormat.comment($0))" }
        lines += partyLines
        if settings != HubOverrides() { lines.append("hub: \(settings.text)") }
        if timeout != Scenario(title: "").timeout { lines.append("patience \(timeout.text)") }
        if let seed { lines.append("seed \(seed)") }
        return lines
    }

    /// The lines that declare the parties; those without options share a line.
    private var partyLines: [String] {
        var lines: [String] = []
        var simple: [String] = []
        for party in parties {
            if party == Party(party.name) {
                simple.append(party.name)
            } else {
                if !simple.isEmpty { lines.append("parties \(simple.joined(separator: ", "))") }
                simple = []
                lines.append(party.line)
            }
        }
        if !simple.isEmpty { lines.append("parties \(simple.joined(separator: ", "))") }
        return lines
    }
}

extension Party {
    fileprivate var line: String {
        let names = devices.compactMap(\.self)
        let devices = names.isEmpty ? "" : " on \(names.joined(separator: ", "))"
        let options = options
        return "party \(name)\(devices)\(options.isEmpty ? "" : ": \(options.joined(separator: ", "))")"
    }

    private var options: [String] {
        var options: [String] = []
        if let underTest {
            options.append("under test")
            if underTest.isInProcess { options.append("in process") }
            if let hertz = underTest.hertz { options.append("speaks \(hertz) Hz") }
        }
        if isManual { options.append("manual") }
        if executesTransactions { options.append("offered transactions") }
        if wantsStreams { options.append("streams") }
        if observes { options.append("observes") }
        if isOneMachine { options.append("one machine") }
        for (screen, device) in operated.sorted(by: { $0.key < $1.key }) {
            options.append("\(screen) operates \(device)")
        }
        if !mayCall { options.append("may not call") }
        if isAway { options.append("away") }
        switch audioSource {
        case .tone: break
        case .silence: options.append("silent")
        case .file(let file): options.append("plays \(LineFormat.word(file))")
        }
        return options + configuration.options
    }
}

extension HubOverrides {
    fileprivate var text: String {
        var settings = Self.durations.compactMap { words, path in self[keyPath: path].map { "\(words) \($0.text)" } }
        if let callsPerDevice { settings.append("calls per device \(callsPerDevice)") }
        return settings.joined(separator: ", ")
    }
}
