import CallKit
import CallSystem
import Foundation
import struct HubSimulation.SeededRandom

/// One step of a random run; its numbers are taken modulo what there is to choose from.
struct RandomStep: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case appStarts, appAnswers, appEnds, appHolds, appSwaps, appMutes, appMerges, appSplits, appKeys, appReports
        case operatorChooses
        case userChooses, userEnds, userHolds, userResumes, userMerges
        case phoneStarts, phoneAnswers, phoneEnds, phoneHolds
        case reacts, fulfillsKept, reportsAnnounced, changesGroups
        case cutsLink, restoresLink, killsApp, restartsHub, passesTime
    }

    var kind: Kind
    var who: Int
    var which: Int
    var other: Int

    init(_ random: inout SeededRandom) {
        // Faults and time are as rare as they are slow.
        let calls: [Kind] = [.phoneStarts, .phoneAnswers, .phoneAnswers, .userChooses]
        let kinds = Kind.allCases + Kind.allCases.prefix(20) + calls
        kind = kinds.randomElement(using: &random) ?? .passesTime
        if kind == .restartsHub, Int.random(in: 0..<3, using: &random) > 0 { kind = .passesTime }
        who = Int.random(in: 0..<1_000, using: &random)
        which = Int.random(in: 0..<1_000, using: &random)
        other = Int.random(in: 0..<1_000, using: &random)
    }

    var description: String { "\(kind.rawValue) \(who) \(which) \(other)" }
}

/// A run of two apps and three phones at a simulated hub; a run of the same seed and steps is the same.
///
/// The invariants of the hub's engine are checked after each of its events.
final class RandomRun {
    private let hub: SimulatedHub
    private var apps: [RandomApp]
    private let phones: [CallScreen]
    private let names = ["alice", "bob", "carol", "dave", "erin"]
    /// The indices of the names whose links are cut.
    private var cut: Set<Int> = []
    private(set) var faults: [String] = []

    init(seed: UInt64) async throws {
        let hub = try SimulatedHub(seed: seed)
        self.hub = hub
        hub.checkInvariants()
        apps = ["alice", "bob"].map { Self.app($0, at: hub) }
        phones = ["carol", "dave", "erin"].map { hub.phone($0) }
        await hub.settle()
    }

    /// Starts an app on its device; that of Bob takes pushes, and that of Alice is offered transactions.
    private static func app(_ name: String, at hub: SimulatedHub) -> RandomApp {
        RandomApp(name, on: hub.device(name), takesPushes: name == "bob", isOffered: name == "alice") { hub.now }
    }

    /// Performs steps until a rule is broken, then ends all calls; returns the sentences about broken rules.
    static func faults(seed: UInt64, _ steps: [RandomStep]) async throws -> [String] {
        let run = try await RandomRun(seed: seed)
        for (index, step) in steps.enumerated() {
            await run.perform(step)
            await run.hub.settle()
            run.check("after step \(index), \(step)")
            if !run.faults.isEmpty { return run.faults }
        }
        await run.end()
        return run.faults
    }

    static func steps(seed: UInt64, count: Int) -> [RandomStep] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in RandomStep(&random) }
    }

    // MARK: Steps

    private func perform(_ step: RandomStep) async {
        let app = apps[step.who % apps.count]
        // A user's request would wait for the link.
        let user = cut.contains(step.who % apps.count) ? nil : app.system.user
        let isPhoneCut = cut.contains(apps.count + step.who % phones.count)
        let phone = isPhoneCut ? nil : phones[step.who % phones.count]
        switch step.kind {
        case .appStarts, .appAnswers, .appEnds, .appHolds, .appSwaps, .appMutes, .appMerges, .appSplits, .appKeys:
            request(step, app)
        case .appReports: app.report("outside\(step.other % 3)", isHoldable: step.which % 3 > 0)
        case .userChooses:
            let call = pick(app.calls.filter { $0.state == .ringing }, step.which)
            if let choice = call.flatMap({ pick($0.choices, step.other) }) {
                try? await user?.choose(choice, call?.uuid)
            }
        case .operatorChooses:
            // Knows a call before the app has reported it.
            if let screen = try? await Operator(hub, of: app.name) { await screen.chooseAny(step.which) }
        case .userEnds: if let call = pick(app.calls, step.which) { try? await user?.end(call.uuid) }
        case .userHolds: try? await user?.hold()
        case .userResumes: try? await user?.resume()
        case .userMerges: try? await user?.merge()
        case .phoneStarts: _ = try? await phone?.start(names[step.which % names.count])
        case .phoneAnswers: try? await phone?.answer()
        case .phoneEnds: if let call = pick(phone?.calls ?? [], step.which) { try? await phone?.end(call.uuid) }
        case .phoneHolds:
            if step.which % 2 == 0 { try? await phone?.hold() } else { try? await phone?.resume() }
        case .reacts:
            // Mostly well-behaved.
            let all = RandomApp.Reaction.allCases + [.fulfill, .fulfill, .fulfill]
            let reaction = all[step.which % all.count]
            app.react(reaction, isSlow: step.other % 4 == 0)
        case .fulfillsKept: app.fulfillKept()
        case .reportsAnnounced: app.reportAnnounced(underOwnUUID: step.which % 2 == 0)
        case .changesGroups: app.provider.configuration.maximumCallGroups = 1 + step.which % 3
        case .cutsLink: await setCut(step.who % names.count, true)
        case .restoresLink: for index in cut.sorted() { await setCut(index, false) }
        case .killsApp: await kill(step.who % apps.count)
        case .restartsHub: await hub.restart()
        case .passesTime:
            let spans: [Duration] = [.milliseconds(100), .seconds(3), .seconds(6), .seconds(45), .seconds(90)]
            await hub.advance(by: spans[step.which % spans.count])
        }
    }

    private func setCut(_ index: Int, _ isCut: Bool) async {
        if isCut { cut.insert(index) } else { cut.remove(index) }
        if isCut, index < apps.count { apps[index].noteCut() }
        let system = index < apps.count ? apps[index].system : phones[index - apps.count].system
        await hub.cutLink(of: system, isCut)
    }

    /// Kills an app, so that the hub loses it, and starts it again on the same device.
    private func kill(_ index: Int) async {
        await hub.cutLink(of: apps[index].system)
        cut.remove(index)
        let name = apps[index].name
        apps[index] = Self.app(name, at: hub)
        await hub.settle()
    }

    private func request(_ step: RandomStep, _ app: RandomApp) {
        let call = pick(app.calls, step.which)?.uuid ?? UUID()
        let other = pick(app.calls, step.other)?.uuid
        switch step.kind {
        case .appStarts:
            let handle = CXHandle(type: .generic, value: names[step.other % names.count])
            app.request([CXStartCallAction(call: UUID(), handle: handle)])
        case .appAnswers:
            let ringing = pick(app.calls.filter { $0.state == .ringing }, step.which)?.uuid ?? call
            app.request([CXAnswerCallAction(call: ringing)])
        case .appEnds: app.request([CXEndCallAction(call: call)])
        case .appHolds: app.request([CXSetHeldCallAction(call: call, onHold: step.other % 2 == 0)])
        case .appSwaps:
            guard let active = app.calls.first(where: { $0.state == .connected }),
                let held = app.calls.first(where: { $0.state == .held })
            else { return }
            app.request([
                CXSetHeldCallAction(call: active.uuid, onHold: true),
                CXSetHeldCallAction(call: held.uuid, onHold: false),
            ])
        case .appMutes: app.request([CXSetMutedCallAction(call: call, muted: step.other % 2 == 0)])
        case .appMerges: app.request([CXSetGroupCallAction(call: call, callUUIDToGroupWith: other)])
        case .appSplits: app.request([CXSetGroupCallAction(call: call, callUUIDToGroupWith: nil)])
        default:
            let types: [CXPlayDTMFCallAction.ActionType] = [.singleTone, .softPause, .hardPause]
            app.request([CXPlayDTMFCallAction(call: call, digits: "12#", type: types[step.other % types.count])])
        }
    }

    private func pick<Element>(_ elements: [Element], _ number: Int) -> Element? {
        elements.isEmpty ? nil : elements[number % elements.count]
    }

    // MARK: Rules

    private func check(_ when: String) {
        for app in apps { faults += app.takeFaults().map { "\($0), \(when)" } }
        faults += hub.violations.map { "the hub's engine: \($0), \(when)" }
        let screens = apps.map { ($0.name, $0.calls) } + zip(names.dropFirst(2), phones.map(\.calls)).map { ($0, $1) }
        for (name, calls) in screens {
            let active = calls.filter { $0.state == .connected }
            let isOneGroup = active.dropFirst().allSatisfy { $0.group.contains(active[0].uuid) }
            if !isOneGroup { faults.append("\(name) has \(active.count) active calls that are no group, \(when)") }
            for call in calls where call.group.count == 1 {
                faults.append("\(name) has a group of one call, \(when): \(call.name)")
            }
            if Set(calls.map(\.uuid)).count < calls.count { faults.append("\(name) has a call twice, \(when)") }
        }
        guard cut.isEmpty else { return }
        for app in apps where !app.calls.contains(where: { $0.state == .connected || $0.state == .connecting }) {
            if app.isAudioActive { faults.append("\(app.name) has audio without an active call, \(when)") }
        }
        for app in apps where app.calls.contains(where: { $0.state == .connected }) && !app.isAudioActive {
            faults.append("\(app.name) has an active call without audio, \(when)")
        }
        checkEnds(Dictionary(uniqueKeysWithValues: screens), when)
    }

    /// Each connected call has its other end.
    private func checkEnds(_ screens: [String: [ScreenCall]], _ when: String) {
        for (name, calls) in screens.sorted(by: { $0.key < $1.key }) {
            for other in names where other >= name {
                let mine = count(calls, with: other)
                let theirs = count(screens[other] ?? [], with: name)
                if mine != theirs {
                    faults.append("\(name) has \(mine) calls with \(other), who has \(theirs), \(when)")
                }
            }
        }
    }

    /// Nothing waits for ever, while calls go on and when they are over.
    private func checkPending(_ when: String) {
        for app in apps {
            let pending = app.provider.pendingTransactions.flatMap(\.actions)
            if !pending.isEmpty { faults.append("\(app.name) has pending actions \(when): \(pending)") }
        }
    }

    private func count(_ calls: [ScreenCall], with other: String) -> Int {
        calls.count { $0.handle == other && [.connected, .held].contains($0.state) }
    }

    /// Ends everything; nothing may be left.
    private func end() async {
        for index in cut.sorted() { await setCut(index, false) }
        for app in apps { app.react(.fulfill, isSlow: false) }
        // An action that nobody has completed fails at its deadline, that of a start at last.
        await hub.advance(by: .seconds(700))
        check("after the deadlines")
        checkPending("after the deadlines")
        for screen in apps.map(\.system.user) + phones {
            for call in screen.calls { try? await screen.end(call.uuid) }
        }
        await hub.advance(by: .seconds(61))
        check("at the end")
        for app in apps {
            if !app.calls.isEmpty { faults.append("\(app.name) has calls after the end: \(app.calls)") }
        }
        checkPending("after the end")
        for (name, phone) in zip(names.dropFirst(2), phones) where !phone.calls.isEmpty {
            faults.append("\(name) has calls after the end: \(phone.calls)")
        }
    }
}
