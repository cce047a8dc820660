import HubEngine
import ScenarioKit

import enum HubAccountData.HoldAudioChoice
import struct HubSimulation.SeededRandom

/// Random scenarios with every element of the syntax tree.
final class RandomScenario {
    private var random: SeededRandom
    private var parties: [Party] = []
    private var calls: [CallName] = []

    /// Returns the scenario of a seed, without line numbers and texts.
    static func make(seed: UInt64) -> Scenario {
        let maker = RandomScenario(random: SeededRandom(seed: seed))
        return maker.scenario()
    }

    private init(random: SeededRandom) { self.random = random }

    private func scenario() -> Scenario {
        var scenario = Scenario(
            title: one(of: ["Alice calls Bob", "#1", "a # b", "\"q\"", "ends:", "{x}", "ü\n", " ", "é"])
        )
        scenario.proves = list(of: ["CK-37", "P5", "F8", "two words", "a,", "#3"])
        parties = ["alice", "bob", "carol", "小林"].prefix(number(2...4)).map { party($0) }
        scenario.parties = parties
        scenario.settings = overrides()
        if flag() { scenario.timeout = max(duration(), .nanoseconds(1)) }
        if flag() { scenario.seed = random.next() }
        calls = [CallName("A"), CallName("Transfer"), CallName("Z-1")]
        // Every name must be known before it is used.
        scenario.steps = calls.map {
            .init(
                line: 0,
                text: "",
                stepAction: .transaction(deviceReference(), [.call(target(), $0, isVideo: flag())], refusal: nil)
            )
        }
        if flag() {
            var app = Party("app")
            app.underTest = AppUnderTest(hertz: maybe(one(of: AppUnderTest.tones)))
            app.underTest?.isInProcess = flag()
            scenario.parties.append(app)
            scenario.steps += seen(app.name).map { Step(line: 0, text: "", stepAction: $0) }
        }
        scenario.steps += (0..<number(1...25)).map { _ in step(depth: 0) }
        return scenario
    }

    // MARK: Drawing

    private func flag() -> Bool { Bool.random(using: &random) }
    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private func one<Element>(of choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }
    private func list<Element>(of choices: [Element]) -> [Element] {
        (0..<number(0...3)).map { _ in one(of: choices) }
    }
    private func maybe<Element>(_ value: @autoclosure () -> Element) -> Element? { flag() ? value() : nil }
    private func text() -> String {
        list(of: ["Eve", " ", "\"", "\\", "{A}", "\u{1}", "\n", "#", "🦊", ",", ":", "e\u{301}"]).joined()
    }
    private func word() -> String { one(of: ["song.ogg", "two words.wav", "x,", "#x", "", "a:b", "it's"]) }
    private func duration() -> Duration {
        let nanoseconds = one(of: [
            0, 1, 1_000_000, 1_500_000, 999_999_999, 1_000_000_000, 90_000_000_000, 86_400_000_000_000,
        ])
        return .nanoseconds(flag() ? nanoseconds : number(0...10_000_000_000))
    }

    // MARK: Who takes part

    private func party(_ name: String) -> Party {
        var party = Party(name)
        guard flag() else { return party }
        if flag() { party.devices = flag() ? ["phone"] : ["phone", "laptop"] }
        party.configuration = configuration()
        party.isManual = flag()
        party.executesTransactions = flag()
        party.wantsStreams = flag()
        party.observes = flag()
        party.isOneMachine = flag()
        if party.devices.count > 1, flag() { party.operated = ["laptop": "phone"] }
        party.mayCall = flag()
        party.isAway = flag()
        party.audioSource = audioSource()
        return party
    }

    private func configuration() -> ProviderConfiguration {
        var configuration = ProviderConfiguration()
        configuration.maximumCallGroups = number(0...3)
        configuration.maximumCallsPerCallGroup = number(4...6)
        configuration.includesCallsInRecents = flag()
        configuration.supportsVideo = flag()
        if flag() { configuration.localizedName = text() }
        configuration.supportedHandleTypes = Handle.HandleType.allCases.filter { _ in flag() }
        return configuration
    }

    private func overrides() -> HubOverrides {
        var overrides = HubOverrides()
        guard flag() else { return overrides }
        for path in [
            \HubOverrides.ringTimeout, \.startDeadline, \.answerDeadline, \.actionDeadline, \.softPause, \.pushWait,
            \.resumeGrace, \.drainGrace,
        ] { overrides[keyPath: path] = maybe(duration()) }
        overrides.callsPerDevice = maybe(number(1...64))
        return overrides
    }

    private func deviceReference() -> DeviceReference {
        let party = one(of: parties)
        return DeviceReference(party.name, device: flag() ? one(of: party.devices) : nil)
    }

    private func audioSource() -> AudioSourceSpec { one(of: [.tone, .silence, .file(word())]) }

    private func target() -> Target { flag() ? .party(one(of: parties).name) : .handle(handle()) }

    private func handle() -> Handle {
        one(of: [
            .generic("echo"), .generic("alice"), Handle(type: .phoneNumber, value: "49*"), .generic(text()),
            Handle(type: .emailAddress, value: "bob@example.org"),
        ])
    }

    // MARK: Steps

    private func step(depth: Int) -> Step {
        Step(line: 0, text: "", stepAction: depth == 0 && number(0...9) == 0 ? block() : stepAction(inBlock: depth > 0))
    }

    /// Returns random steps of an app under test that other parties can observe.
    private func seen(_ app: String) -> [StepAction] {
        let (call, other) = (one(of: calls), one(of: calls))
        let actions: [ScriptedAction] = [
            .call(.party(one(of: parties).name), call, isVideo: flag()), .answer(call), .end(call),
            .setHeld(call, flag()), .key("12#", call),
        ]
        return [
            .choose(DeviceReference(app), flag() ? .accept : .decline, call), .swap(DeviceReference(app), call, other),
            .transaction(DeviceReference(app, device: DeviceReference.screen), [.setHeld(call, flag())], refusal: nil),
            .transaction(DeviceReference(app), actions.shuffled(using: &random), refusal: nil),
            .transaction(deviceReference(), [.call(.party(app), call, isVideo: flag())], refusal: nil),
        ]
    }

    private func block() -> StepAction {
        let steps = (0..<number(1...3)).map { _ in step(depth: 1) }
        return one(of: [.together(steps), .inAnyOrder(steps), .atRandom(within: duration(), steps)])
    }

    private func attempted(_ call: CallName) -> StepAction {
        one(of: [
            .transaction(deviceReference(), (0..<number(0...3)).map { _ in action() }, refusal: nil),
            .swap(deviceReference(), nil, nil),
            .choose(deviceReference(), .holdAndAccept, call),
            .changeAccountData(deviceReference(), accountDataChange(), refusal: nil), .invalidate(deviceReference()),
            .showAppearance(deviceReference(), appearanceChange(), refusal: nil),
        ])
    }

    private func stepAction(inBlock: Bool) -> StepAction {
        let call = one(of: calls)
        if number(0...9) == 0 { return .attempt(attempted(call)) }
        let refusal = maybe(one(of: ["invalidAction", "unknownCallUUID", "overloaded"]))
        switch number(0...(inBlock ? 13 : 19)) {
        case 0, 1: return .transaction(deviceReference(), (0..<number(0...3)).map { _ in action() }, refusal: refusal)
        case 2:
            return .choose(
                deviceReference(),
                one(of: [.accept, .decline, .holdAndAccept, .endAndAccept, .endHeldAndAccept]),
                call
            )
        case 3: return flag() ? .swap(deviceReference(), nil, nil) : .swap(deviceReference(), call, one(of: calls))
        case 4:
            if flag() {
                let engine = one(of: TranslationEngine.allCases)
                return .respond(deviceReference(), .fulfillsBy(engine), .translate, call)
            }
            return .respond(
                deviceReference(),
                one(of: [.fulfills, .fails, .ignores]),
                one(of: ActionKindName.allCases),
                call
            )
        case 5:
            return one(of: [
                .fulfillsEverything(deviceReference(), flag()), .executed(deviceReference(), handled: flag()),
                .presence(deviceReference(), isAway: flag()),
            ])
        case 6: return .report(deviceReference(), report(), refusal: refusal)
        case 7: return .showAppearance(deviceReference(), appearanceChange(), refusal: refusal)
        case 8: return .changeAccountData(deviceReference(), accountDataChange(), refusal: refusal)
        case 9:
            return flag()
                ? .invalidate(deviceReference())
                : .configure(deviceReference(), configuration(), offered: maybe(flag()), refusal: refusal)
        case 10: return .connection(deviceReference(), one(of: [.resumes, .signsIn]), refusal: refusal)
        case 11:
            let rate = maybe(one(of: [1, 20_000, 3_000_000, 1_234]))
            return .connection(
                deviceReference(),
                one(of: [
                    .drops, .leaves, .freezes, .thaws, .isDelayed(by: duration()), .isThrottled(toBitsPerSecond: rate),
                ]),
                refusal: nil
            )
        case 12: return .audioSource(deviceReference(), audioSource())
        case 13: return one(of: [.hub(one(of: [.isKilled, .starts, .restarts, .drains])), .clockJumps(duration())])
        case 14: return .wait(duration())
        default: return .expect(expectation(), within: nil)
        }
    }

    private func action() -> ScriptedAction {
        let call = one(of: calls)
        let setTranslating = ScriptedAction.setTranslating(call, true, from: maybe(word()), to: maybe(word()))
        return one(of: [
            .call(target(), call, isVideo: flag()), .answer(call), .end(call), .endHere(call), .setHeld(call, flag()),
            .decline(call, saying: text(), isHere: flag()),
            .setMuted(call, flag()), .setGroup(call, with: maybe(one(of: calls))), .pull(call),
            .transfer(call, to: flag() ? .call(one(of: calls)) : .target(target())), setTranslating,
            .key(one(of: ["12#", "#", "1,2;3", ",1", ""]), call),
            .setTranslating(call, false, from: nil, to: nil),
        ])
    }

    private func report() -> Report {
        let call = one(of: calls)
        var update = CallUpdate()
        update.localizedCallerName = maybe(text())
        update.supportsHolding = maybe(flag())
        update.supportsGrouping = maybe(flag())
        update.supportsUngrouping = maybe(flag())
        update.supportsDTMF = maybe(flag())
        update.hasVideo = flag()
        var moved = update
        moved.remoteHandle = maybe(handle())
        return one(of: [
            .incoming(maybe(target()), call, flag() ? update : CallUpdate()), .ended(call, one(of: EndReason.allCases)),
            .connecting(call), .connected(call), .update(call, moved),
        ])
    }

    private func appearanceChange() -> AppearanceChange {
        let media = { () -> AppearanceChange.Media in self.flag() ? .nothing : .named(self.word()) }
        return one(of: [
            AppearanceChange(icon: media()), AppearanceChange(ringtone: media()),
            AppearanceChange(icon: media(), ringtone: media()),
        ])
    }

    private func accountDataChange() -> AccountDataChange {
        let numbers = list(of: [1, 4_912_345, 999_999_999_999_999_999] as [Int64])
        let labels = list(of: [1, 22] as [Int64]).map { AccountDataChange.Label(number: $0, label: text()) }
        return one(of: [
            .doNotDisturb(flag(), isThisDeviceOnly: flag()), .namedInGroups(flag()), .displayName(text()),
            .listed(flag()), .block(target()), .unblock(target()),
            .removeContact(target()), .transfersOfStrangers(flag()),
            .holdAudio(one(of: [.hub, .silence, .tone, .music])),
            .contact(target(), name: text(), isFavorite: flag(), breaksThrough: flag()),
            .loadDirectory(word(), title: maybe(text()), blocking: numbers, labels: labels),
            .setDirectoryEnabled(word(), flag()), .reloadDirectory(word()),
            .cancelDirectoryLoad(word(), message: maybe(text())),
        ])
    }
}

// MARK: Expectations

extension RandomScenario {
    private func expectation() -> Assertion {
        switch number(0...9) {
        case 0: .neverHears(deviceReference(), voice())
        case 1: .nobodyHearsHimself
        case 2: .either((0..<number(2...3)).map { _ in momentary() })
        default: momentary()
        }
    }

    private func momentary() -> Assertion {
        let deviceReference = deviceReference()
        let call = one(of: calls)
        let voices = Set((0..<number(1...3)).map { _ in voice() })
        let span = maybe(max(duration(), .milliseconds(100)))
        return one(of: [
            .call(deviceReference, call, callMatchers()), .callCount(deviceReference, number(0...3)),
            .rings(deviceReference),
            .doesNotRing(deviceReference),
            .receivesNotification(deviceReference, matcher()), .receivesNoNotification(deviceReference, matcher()),
            .audio(deviceReference, maybe(call)), .recents(deviceReference, recents()),
            .providers(deviceReference, (0..<number(0...3)).map { _ in provider(of: deviceReference.party) }),
            .directories(deviceReference, (0..<number(0...3)).map { _ in directory() }),
            .sees(deviceReference, target(), presence()),
            .hears(deviceReference, Array(voices), for: span), .hearsNothing(deviceReference, for: span),
            .nobodyHearsAnybody,
        ])
    }

    private func provider(of party: String) -> ProviderMatcher {
        let media = { () -> ProviderMatcher.Media in self.flag() ? .any : .named(self.word()) }
        let devices = parties.first { $0.name == party }?.devices.compactMap(\.self) ?? []
        let device = one(of: [.present, .former] + devices.map { ProviderMatcher.Device.named($0) })
        if flag() { return ProviderMatcher(text(), on: device, icon: maybe(media()), ringtone: maybe(media())) }
        return ProviderMatcher(nil, on: device, icon: media(), ringtone: maybe(media()))
    }

    private func directory() -> DirectoryMatcher {
        var directory = DirectoryMatcher(word())
        (directory.title, directory.isEnabled, directory.failure) = (maybe(text()), flag(), maybe(text()))
        return directory
    }

    private func presence() -> String {
        one(of: ["free", "onCall", "away", "doNotDisturb", "offline", "unknown"])
    }

    private func voice() -> Voice { one(of: [.music, .tone, .party(one(of: parties).name)]) }

    private func callMatchers() -> [CallMatcher] {
        let cause = maybe(one(of: EndCause.allCases))
        let source = maybe(one(of: [.caller, .contact, .directory, .handle] as [CallSnapshot.NameSource]))
        let choices = list(of: [.accept, .decline, .holdAndAccept, .endAndAccept, .endHeldAndAccept] as [Choice.Name])
        if flag() {
            return [
                one(of: [
                    .ended(maybe(one(of: EndReason.allCases)), because: cause), .offers(choices),
                    .shows(text(), from: source, titled: source == .directory ? maybe(text()) : nil),
                    .says(maybe(text())), .includes(people()),
                    .returned(cause),
                ])
            ]
        }
        return (0..<number(1...4)).map { _ in callMatcher() }
    }

    private func people() -> [ParticipantMatcher] {
        (0..<number(0...3)).map { _ in flag() ? .somebody : .person(target(), named: maybe(text())) }
    }

    private func callMatcher() -> CallMatcher {
        let state = one(of: [.starting, .connecting, .ringing, .connected, .held, .ended] as [CallSnapshot.State])
        let hasOpposite: [CallMatcher] = [.muted(flag()), .grouped(flag()), .outgoing(flag()), .heldByRemote(flag())]
        let hasNone: [CallMatcher] = [
            .state(state), .active, .groupedWith(one(of: calls)), .video, .remotelyRinging,
            .translating(by: maybe(one(of: TranslationEngine.allCases))),
            .with(target()), .transferredBy(target()),
        ]
        return flag() ? one(of: hasOpposite) : flag() ? one(of: hasNone) : .not(one(of: hasNone))
    }

    private func matcher() -> NotificationMatcher {
        one(of: [
            .notification(one(of: ["didBegin", "sources", "recents.changed"])),
            .perform(one(of: ActionKindName.allCases), maybe(one(of: calls))), .digits(one(of: ["12", "#", "1,"])),
            .closing(one(of: ["draining", "policy"])),
        ])
    }

    private func recents() -> [RecentCallMatcher] {
        (0..<number(0...3)).map { _ in
            RecentCallMatcher(
                one(of: RecentCall.Outcome.allCases),
                target(),
                isIncoming: flag(),
                hasVideo: flag(),
                provider: maybe(text()),
                isSilenced: flag()
            )
        }
    }
}

extension Scenario {
    /// The scenario without the numbers and texts of its lines.
    var withoutPlaces: Scenario {
        var scenario = self
        scenario.steps = steps.map(\.withoutPlace)
        return scenario
    }
}

extension Step {
    fileprivate var withoutPlace: Step {
        let stepAction: StepAction =
            switch stepAction {
            case .together(let steps): .together(steps.map(\.withoutPlace))
            case .inAnyOrder(let steps): .inAnyOrder(steps.map(\.withoutPlace))
            case .atRandom(let duration, let steps): .atRandom(within: duration, steps.map(\.withoutPlace))
            default: stepAction
            }
        return Step(line: 0, text: "", stepAction: stepAction)
    }
}
