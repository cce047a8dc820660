import HubEngine

// Options of parties and settings of the hub: the lines before the steps.
extension LineParser {
    /// Reads the part behind `parties`.
    mutating func partyNames() throws(LineSyntaxError) {
        repeat { try declare() } while words.takes(.comma)
        try words.checkEnd()
    }

    /// Reads the part behind `party`.
    mutating func party() throws(LineSyntaxError) {
        var party = try declare()
        if words.take("on") {
            party.devices = []
            repeat {
                let column = words.column
                let device = try newName("a device")
                guard !party.devices.contains(device) else {
                    throw LineSyntaxError(
                        column: column,
                        sentence: "\(party.name) has a device \(device.quoted) already"
                    )
                }
                party.devices.append(device)
                participants.update(party)
            } while words.takes(.comma)
        }
        if words.takes(.colon) {
            let column = words.column
            repeat { try option(of: &party) } while words.takes(.comma)
            try checkUnderTest(party, column: column)
        }
        try words.checkEnd()
        participants.update(party)
    }

    @discardableResult
    private mutating func declare() throws(LineSyntaxError) -> Party {
        let column = words.column
        let party = Party(try newName("a party"))
        if let other = participants.party(sharingAccountWith: party.name)?.name {
            let sentence =
                other == party.name
                ? "takes part already; once is right"
                : "is the account of \(other) at the hub, which compares names without case; choose another name"
            throw LineSyntaxError(column: column, sentence: "\(party.name.quoted) \(sentence)")
        }
        guard participants.parties.count < ScenarioLimits.parties else {
            let sentence = "\(ScenarioLimits.parties) parties take part already; fewer are right"
            throw LineSyntaxError(column: column, sentence: sentence)
        }
        participants.add(party, in: words.lineNumber)
        return party
    }

    private mutating func option(of party: inout Party) throws(LineSyntaxError) {
        if words.take("manual") {
            party.isManual = true
        } else if words.take("offered transactions") {
            party.executesTransactions = true
        } else if words.take("streams") {
            party.wantsStreams = true
        } else if words.take("observes") {
            party.observes = true
        } else if words.take("one machine") {
            party.isOneMachine = true
        } else if words.take("may not call") {
            party.mayCall = false
        } else if words.take("away") {
            party.isAway = true
        } else if words.take("silent") {
            party.audioSource = .silence
        } else if words.take("plays") {
            party.audioSource = .file(try soundFile())
        } else if try !underTest(&party), try !operating(&party), try !configurationOption(&party.configuration) {
            throw words.unknown("option of a party", among: Self.options + Self.configurationOptions)
        }
    }

    /// Reads `desk operates door`; false: the option is another one.
    private mutating func operating(_ party: inout Party) throws(LineSyntaxError) -> Bool {
        guard let screen = words.word(), words.word(1) == "operates" else { return false }
        _ = try device(of: party.name)
        _ = words.take("operates")
        let column = words.column
        let operated = try device(of: party.name)
        guard operated != screen, party.operated[operated] == nil, !party.operated.values.contains(screen) else {
            let sentence = "a device operates another one, which operates none; \(screen) cannot operate \(operated)"
            throw LineSyntaxError(column: column, sentence: sentence)
        }
        party.operated[screen] = operated
        return true
    }

    /// Reads the part behind `configure`.
    ///
    /// - Returns: The configuration, and whether later transactions are offered first; nil: not said.
    mutating func configuration() throws(LineSyntaxError) -> (ProviderConfiguration, isOffered: Bool?) {
        var (configuration, isOffered) = (ProviderConfiguration(), Bool?.none)
        guard !words.take("defaults") else { return (configuration, nil) }
        repeat {
            if words.take("offered transactions") {
                isOffered = true
            } else if words.take("no offered transactions") {
                isOffered = false
            } else if try !configurationOption(&configuration) {
                let known = ["defaults", "offered transactions", "no offered transactions"] + Self.configurationOptions
                throw words.unknown("setting of a provider", among: known)
            }
        } while words.takes(.comma)
        return (configuration, isOffered)
    }

    private mutating func configurationOption(_ configuration: inout ProviderConfiguration) throws(LineSyntaxError)
        -> Bool
    {
        if words.take("groups") {
            configuration.maximumCallGroups = try number(0...1_000, of: "groups")
        } else if words.take("calls per group") {
            configuration.maximumCallsPerCallGroup = try number(0...1_000, of: "calls")
        } else if words.take("video") {
            configuration.supportsVideo = true
        } else if words.take("no recents") {
            configuration.includesCallsInRecents = false
        } else if words.take("handle types") {
            configuration.supportedHandleTypes = try handleTypes()
        } else if words.take("provider") {
            configuration.localizedName = try quoted("the provider's name")
        } else {
            return false
        }
        return true
    }

    private mutating func handleTypes() throws(LineSyntaxError) -> [Handle.HandleType] {
        var types: Set<Handle.HandleType> = []
        repeat {
            guard let word = words.word(), let type = Keywords.handleTypes.first(where: { $0.word == word })?.type
            else { throw words.unknown("type of handle", among: Keywords.handleTypes.map(\.word)) }
            _ = words.take(.word)
            types.insert(type)
        } while words.take("and")
        return Handle.HandleType.allCases.filter(types.contains)
    }

    /// Reads the part behind `hub:` before the first step.
    mutating func overrides(_ overrides: inout HubOverrides) throws(LineSyntaxError) {
        try words.requireColon(before: "a setting, such as ring timeout 2 s")
        repeat {
            if words.take("calls per device") {
                overrides.callsPerDevice = try number(1...1_000_000, of: "calls")
            } else if let path = HubOverrides.durations.first(where: { words.take($0.words) })?.path {
                overrides[keyPath: path] = try duration()
            } else {
                throw unknownOverride()
            }
        } while words.takes(.comma)
        try words.checkEnd()
    }

    private func unknownOverride() -> LineSyntaxError {
        let known = HubOverrides.durations.map(\.words) + ["calls per device"]
        guard let first = words.word() else { return words.expected("a setting, such as ring timeout 2 s") }
        let phrases = [words.word(1), words.word(2)].reduce(into: [first]) { phrases, next in
            if let next, let last = phrases.last { phrases.append("\(last) \(next)") }
        }
        let nearest = phrases.compactMap { Suggestion.nearest(to: $0, among: known) }.last
        let ending = nearest.map { "; did you mean \($0)?" } ?? "; there are \(Suggestion.listed(known))"
        return LineSyntaxError(column: words.column, sentence: "\(first.quoted) is no setting of the hub\(ending)")
    }

    private static let options = [
        "manual", "offered transactions", "streams", "observes", "one machine", "may not call", "away", "silent",
        "plays",
        "under test",
    ]
    private static let configurationOptions = [
        "groups", "calls per group", "video", "no recents", "handle types", "provider",
    ]
}

extension HubOverrides {
    /// The settings that are durations, with their names in lines.
    static var durations: [(words: String, path: WritableKeyPath<HubOverrides, Duration?>)] {
        [
            ("ring timeout", \.ringTimeout), ("start deadline", \.startDeadline), ("answer deadline", \.answerDeadline),
            ("action deadline", \.actionDeadline), ("soft pause", \.softPause), ("wake wait", \.pushWait),
            ("grace", \.resumeGrace), ("drain grace", \.drainGrace),
        ]
    }
}
