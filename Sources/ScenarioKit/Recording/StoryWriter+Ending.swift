import HubEngine
import HubServer

/// The end of the generation, at which numbers become names.
extension StoryWriter {
    /// Returns the scenario, and the events that it cannot express.
    mutating func finished() -> (Scenario, [String]) {
        // Sign-outs and waits at the end have no effect.
        while lines.last?.deed.isFarewell == true { lines.removeLast() }
        let naming = StoryNames(cast, calls)
        var scenario = Scenario(title: style.title)
        if needsRingTimeout, let ring = style.ringTimeout, ring != Self.defaults.ringTimeout {
            scenario.settings.ringTimeout = ring
        }
        if needsGrace, let grace = style.resumeGrace, grace != Self.defaults.resumeGrace {
            scenario.settings.resumeGrace = grace
        }
        scenario.parties = naming.parties
        let deeds = naming.arrivals + lines.map { naming.named($0.deed) }
        scenario.steps = deeds.enumerated().map { Step(line: $0.offset + 1, text: "", deed: $0.element) }
        return (scenario, notes)
    }

    private static var defaults: HubWishes {
        let settings = HubWishes().settings
        var wishes = HubWishes()
        (wishes.ringTimeout, wishes.resumeGrace) = (settings.ringTimeout, settings.resumeGrace)
        return wishes
    }
}

extension Deed {
    /// Indicates that the step can be left out at the end of a scenario.
    fileprivate var isFarewell: Bool {
        switch self {
        case .connection(_, .leaves, _), .wait: true
        default: false
        }
    }
}

/// The names of participants and devices in the generated scenario.
struct StoryNames {
    private let cast: StoryCast
    private var names: [String] = []
    /// The handles of called participants that do not exist at the hub, which are no parties.
    private var strangers: [Int: Handle] = [:]
    private var deviceNames: [Int: String] = [:]
    private(set) var parties: [Party] = []
    /// The initial sign-ins of devices whose party is away because another of its devices signs in later.
    private(set) var arrivals: [Deed] = []

    init(_ cast: StoryCast, _ calls: [StoryWriter.StoryCall]) {
        self.cast = cast
        for (index, person) in cast.people.enumerated() {
            names.append(Self.name(of: person, besides: names))
            if case .outsider(let handle) = person,
                calls.contains(where: { $0.callee == person && $0.cause == .unknownHandle })
            {
                strangers[index] = handle
                continue
            }
            // A built-in party of the hub is no party of the scenario.
            guard !cast.isBuiltIn(person) else { continue }
            addParty(person, names[index], calls)
        }
    }

    private mutating func addParty(_ person: Person, _ name: String, _ calls: [StoryWriter.StoryCall]) {
        var party = Party(name)
        let slots = cast.slots.indices.filter { .account(cast.slots[$0].account) == person && cast.slots[$0].wasOpen }
        if slots.count > 1 {
            var given: [String] = []
            for slot in slots {
                let wish = cast.slots[slot].name ?? cast.slots[slot].id
                given.append(Self.word(wish, or: "device", besides: given))
                deviceNames[slot] = given.last
            }
            party.devices = given
        }
        if let configuration = slots.compactMap({ cast.slots[$0].configuration }).first {
            party.configuration = configuration.plain
        }
        let isOffline = slots.isEmpty && calls.contains { $0.callee == person && $0.cause == .offline }
        party.isAway = isOffline || slots.contains { cast.slots[$0].isLate }
        if party.isAway {
            for slot in slots where !cast.slots[slot].isLate {
                arrivals.append(.connection(Who(name, device: deviceNames[slot]), .signsIn, refusal: nil))
            }
        }
        parties.append(party)
    }

    // MARK: Words

    private static func name(of person: Person, besides names: [String]) -> String {
        switch person {
        case .account(let name): word(name, or: "party", besides: names)
        case .outsider(let handle):
            word(handle.value.split(separator: "@").first.map(String.init) ?? "", or: "party", besides: names)
        }
    }

    /// Returns an unused valid name that is as similar to a text as possible.
    private static func word(_ text: String, or other: String, besides taken: [String]) -> String {
        let word = String(text.lowercased().prefix(40).map { Names.isParty("a\($0)") ? $0 : "-" })
        let base = Names.isParty(word) ? word : "\(other)\(word.hasPrefix("-") ? "" : "-")\(word)"
        let free = { (name: String) in !taken.contains(name) && !Vocabulary.reserved.contains(name) }
        let trimmed = String(base.reversed().drop { $0 == "-" }.reversed())
        if free(trimmed) { return trimmed }
        return (2...).lazy.map { "\(trimmed)-\($0)" }.first(where: free) ?? trimmed
    }

    private func who(_ who: Who) -> Who {
        guard let index = Int(who.party), names.indices.contains(index) else { return who }
        return Who(names[index], device: who.device.flatMap(Int.init).flatMap { deviceNames[$0] })
    }

    private func target(_ target: Target) -> Target {
        guard case .party(let number) = target, let index = Int(number), names.indices.contains(index) else {
            return target
        }
        return strangers[index].map { .handle($0) } ?? .party(names[index])
    }

    // MARK: Lines

    /// Returns a step with names in place of numbers.
    func named(_ deed: Deed) -> Deed {
        switch deed {
        case .transaction(let who, let actions, let refusal):
            .transaction(self.who(who), actions.map(named), refusal: refusal)
        case .choose(let who, let choice, let call): .choose(self.who(who), choice, call)
        case .swap(let who, let first, let second): .swap(self.who(who), first, second)
        case .settle(let who, let settling, let kind, let call): .settle(self.who(who), settling, kind, call)
        case .report(let who, let report, let refusal): .report(self.who(who), report, refusal: refusal)
        case .connection(let who, let deed, let refusal): .connection(self.who(who), deed, refusal: refusal)
        case .expect(let expectation, let within): .expect(named(expectation), within: within)
        default: deed
        }
    }

    private func named(_ action: SpokenAction) -> SpokenAction {
        if case .call(let target, let name, let isVideo) = action {
            .call(self.target(target), name, isVideo: isVideo)
        } else {
            action
        }
    }

    private func named(_ expectation: Assertion) -> Assertion {
        switch expectation {
        case .call(let who, let call, let facts): .call(self.who(who), call, facts)
        case .isTold(let who, let telling): .isTold(self.who(who), telling)
        case .hearsNothing(let who, let span): .hearsNothing(self.who(who), for: span)
        case .hears(let who, let voices, let span): .hears(self.who(who), sorted(voices.map(named)), for: span)
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
        let place = { (voice: Voice) in names.firstIndex { .party($0) == voice } ?? names.count }
        return voices.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
