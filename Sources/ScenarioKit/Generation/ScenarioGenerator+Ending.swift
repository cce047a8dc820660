import HubEngine

/// The end of the generation, at which numbers become names.
extension ScenarioGenerator {
    /// Returns the scenario, and the events that it cannot express.
    mutating func finished() -> (Scenario, [String]) {
        // Sign-outs and waits at the end have no effect.
        while lines.last?.stepAction.isTrailing == true { lines.removeLast() }
        let naming = GeneratedNames(participants, calls)
        var scenario = Scenario(title: style.title)
        if needsRingTimeout, let ring = style.ringTimeout, ring != Self.defaults.ringTimeout {
            scenario.settings.ringTimeout = ring
        }
        if needsGrace, let grace = style.resumeGrace, grace != Self.defaults.resumeGrace {
            scenario.settings.resumeGrace = grace
        }
        scenario.parties = naming.parties
        let stepActions = naming.initialSignIns + lines.map { naming.named($0.stepAction) }
        scenario.steps = stepActions.enumerated().map { Step(line: $0.offset + 1, text: "", stepAction: $0.element) }
        return (scenario, notes)
    }

    /// The settings of a hub without overrides: the engine's, whose defaults are the hub's.
    static var defaults: EngineConfiguration { EngineConfiguration(seed: 0) }
}

extension StepAction {
    /// Indicates that the step can be left out at the end of a scenario.
    fileprivate var isTrailing: Bool {
        switch self {
        case .connection(_, .leaves, _), .wait: true
        default: false
        }
    }
}

/// The names of participants and devices in the generated scenario.
struct GeneratedNames {
    private let participants: GeneratorParticipants
    private var names: [String] = []
    /// The handles of called participants that do not exist at the hub, which are no parties.
    private var unknownHandles: [Int: Handle] = [:]
    private var deviceNames: [Int: String] = [:]
    private(set) var parties: [Party] = []
    /// The initial sign-ins of devices whose party is away because another of its devices signs in later.
    private(set) var initialSignIns: [StepAction] = []

    init(_ participants: GeneratorParticipants, _ calls: [ScenarioGenerator.GeneratedCall]) {
        self.participants = participants
        for (index, participant) in participants.list.enumerated() {
            names.append(Self.name(of: participant, besides: names))
            if case .unrecorded(let handle) = participant,
                calls.contains(where: { $0.callee == participant && $0.cause == .unknownHandle })
            {
                unknownHandles[index] = handle
                continue
            }
            // A built-in party of the hub is no party of the scenario.
            guard !participants.isBuiltIn(participant) else { continue }
            addParty(participant, names[index], calls)
        }
    }

    private mutating func addParty(
        _ participant: Participant,
        _ name: String,
        _ calls: [ScenarioGenerator.GeneratedCall]
    ) {
        var party = Party(name)
        let indices = participants.devices.indices.filter {
            .account(participants.devices[$0].account) == participant && participants.devices[$0].wasSignedIn
        }
        if indices.count > 1 {
            var given: [String] = []
            for deviceIndex in indices {
                let preferredName = participants.devices[deviceIndex].name ?? participants.devices[deviceIndex].id
                given.append(Self.word(preferredName, or: "device", besides: given))
                deviceNames[deviceIndex] = given.last
            }
            party.devices = given
        }
        if let configuration = indices.compactMap({ participants.devices[$0].configuration }).first {
            party.configuration = configuration.expressible
        }
        let isOffline = indices.isEmpty && calls.contains { $0.callee == participant && $0.cause == .offline }
        party.isAway = isOffline || indices.contains { participants.devices[$0].isLate }
        if party.isAway {
            for deviceIndex in indices where !participants.devices[deviceIndex].isLate {
                initialSignIns.append(
                    .connection(DeviceReference(name, device: deviceNames[deviceIndex]), .signsIn, refusal: nil)
                )
            }
        }
        parties.append(party)
    }

    // MARK: Words

    private static func name(of participant: Participant, besides names: [String]) -> String {
        switch participant {
        case .account(let name): word(name, or: "party", besides: names)
        case .unrecorded(let handle):
            word(handle.value.split(separator: "@").first.map(String.init) ?? "", or: "party", besides: names)
        }
    }

    /// Returns an unused valid name that is as similar to a text as possible.
    private static func word(_ text: String, or other: String, besides taken: [String]) -> String {
        let word = String(text.lowercased().prefix(40).map { NameSyntax.isParty("a\($0)") ? $0 : "-" })
        let base = NameSyntax.isParty(word) ? word : "\(other)\(word.hasPrefix("-") ? "" : "-")\(word)"
        let free = { (name: String) in !taken.contains(name) && !Keywords.reserved.contains(name) }
        let trimmed = String(base.reversed().drop { $0 == "-" }.reversed())
        if free(trimmed) { return trimmed }
        return (2...).lazy.map { "\(trimmed)-\($0)" }.first(where: free) ?? trimmed
    }

    private func deviceReference(_ deviceReference: DeviceReference) -> DeviceReference {
        guard let index = Int(deviceReference.party), names.indices.contains(index) else { return deviceReference }
        return DeviceReference(
            names[index],
            device: deviceReference.device.flatMap(Int.init).flatMap { deviceNames[$0] }
        )
    }

    private func target(_ target: Target) -> Target {
        guard case .party(let number) = target, let index = Int(number), names.indices.contains(index) else {
            return target
        }
        return unknownHandles[index].map { .handle($0) } ?? .party(names[index])
    }

    // MARK: Lines

    /// Returns a step with names in place of numbers.
    func named(_ stepAction: StepAction) -> StepAction {
        switch stepAction {
        case .transaction(let deviceReference, let actions, let refusal):
            .transaction(self.deviceReference(deviceReference), actions.map(named), refusal: refusal)
        case .choose(let deviceReference, let choice, let call):
            .choose(self.deviceReference(deviceReference), choice, call)
        case .swap(let deviceReference, let first, let second):
            .swap(self.deviceReference(deviceReference), first, second)
        case .respond(let deviceReference, let response, let kind, let call):
            .respond(self.deviceReference(deviceReference), response, kind, call)
        case .report(let deviceReference, let report, let refusal):
            .report(self.deviceReference(deviceReference), report, refusal: refusal)
        case .connection(let deviceReference, let stepAction, let refusal):
            .connection(self.deviceReference(deviceReference), stepAction, refusal: refusal)
        case .expect(let expectation, let within): .expect(named(expectation), within: within)
        default: stepAction
        }
    }

    private func named(_ action: ScriptedAction) -> ScriptedAction {
        if case .call(let target, let name, let isVideo) = action {
            .call(self.target(target), name, isVideo: isVideo)
        } else {
            action
        }
    }

    private func named(_ expectation: Assertion) -> Assertion {
        switch expectation {
        case .call(let deviceReference, let call, let callMatchers):
            .call(self.deviceReference(deviceReference), call, callMatchers)
        case .receivesNotification(let deviceReference, let matcher):
            .receivesNotification(self.deviceReference(deviceReference), matcher)
        case .hearsNothing(let deviceReference, let span):
            .hearsNothing(self.deviceReference(deviceReference), for: span)
        case .hears(let deviceReference, let voices, let span):
            .hears(self.deviceReference(deviceReference), sorted(voices.map(named)), for: span)
        default: expectation
        }
    }

    private func named(_ voice: Voice) -> Voice {
        guard case .party(let number) = voice, let index = Int(number), names.indices.contains(index) else {
            return voice
        }
        return .party(names[index])
    }

    /// Returns the voices in the order of the parties, whatever the order of the hub.
    private func sorted(_ voices: [Voice]) -> [Voice] {
        let position = { (voice: Voice) in names.firstIndex { .party($0) == voice } ?? names.count }
        return voices.enumerated().sorted { (position($0.element), $0.offset) < (position($1.element), $1.offset) }
            .map(\.element)
    }
}
