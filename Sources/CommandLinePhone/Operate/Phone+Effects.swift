import CommandLineTools
import HubClient
import HubEngine

// The effects of an operator's commands.
extension Phone {
    /// Returns the effect of a command that is about to be performed; nil: none that the calls show.
    func effect(of command: TypedCommand) throws(UsageError) -> ExpectedEffect? {
        switch command {
        case .call: ExpectedEffect(callBesides: calls.map(\.uuid))
        case .answer(let which):
            ExpectedEffect("the call is answered", on: try ringing(which), \.isAnswered)
        case .choose(_, let which):
            ExpectedEffect("the choice is taken", on: try ringing(which), \.isAnswered)
        case .dismiss(let which):
            ExpectedEffect("the call rings no more", on: try ringing(which)) { _ in false }
        case .hold(let which):
            ExpectedEffect("the call is on hold", on: [try pick(which, "to be held") { $0.state == .connected }.uuid]) {
                $0.state == .held
            }
        case .resume(let which):
            ExpectedEffect("the call goes on", on: [try pick(which, "on hold") { $0.state == .held }.uuid]) {
                $0.state == .connected
            }
        case .swap: try effectOfSwap()
        case .mute(let which): try effectOfMuting(which, true)
        case .unmute(let which): try effectOfMuting(which, false)
        case .merge(let names): try effectOfMerge(names)
        case .split(let which):
            ExpectedEffect("the call is in no group", on: [try pick(which, "in a group") { $0.group != nil }.uuid]) {
                $0.group == nil
            }
        case .end(let which): ExpectedEffect("the call has ended", on: try ended(by: which)) { _ in false }
        case .decline(let text):
            ExpectedEffect("the call has ended", on: try isName(text) ? ended(by: text) : ringing(nil)) { _ in false }
        default: nil
        }
    }

    private func ringing(_ which: String?) throws(UsageError) -> [CallUUID] {
        [try pick(which, "that rings") { $0.state == .ringing }.uuid]
    }

    private func effectOfSwap() throws(UsageError) -> ExpectedEffect {
        let active = try pick(nil, "to be held") { $0.state == .connected }.uuid
        let held = try pick(nil, "on hold") { $0.state == .held }.uuid
        return ExpectedEffect("the calls are swapped", on: [active, held]) {
            $0.state == ($0.uuid == active ? .held : .connected)
        }
    }

    private func effectOfMuting(_ which: String?, _ isMuted: Bool) throws(UsageError) -> ExpectedEffect {
        let call = try pick(which, isMuted ? "to be muted" : "that is muted") { $0.isMuted != isMuted }.uuid
        return ExpectedEffect(isMuted ? "the call is muted" : "the call is heard", on: [call]) { $0.isMuted == isMuted }
    }

    private func effectOfMerge(_ names: [String]) throws(UsageError) -> ExpectedEffect {
        var merged: [CallUUID] = []
        for name in names { merged.append(try pick(name, "to be merged") { _ in true }.uuid) }
        if names.isEmpty { merged = calls.filter { [.connected, .held].contains($0.state) }.map(\.uuid) }
        return ExpectedEffect("the calls are a group", on: merged) { $0.group != nil && $0.state == .connected }
    }

    private func ended(by which: String?) throws(UsageError) -> [CallUUID] {
        which?.lowercased() == "all" ? calls.map(\.uuid) : [try callToEnd(which).uuid]
    }

    // MARK: Waiting

    /// Has the next line of a script wait until the hub has answered and an effect is there.
    func awaitEffect(_ effect: ExpectedEffect) {
        guard isScript else { return }
        effectNumber += 1
        awaitedEffect = effect
        later(effectTimeout, .effectTimedOut(effectNumber))
    }

    /// Goes on with a script whose effect is there.
    func checkEffect() {
        guard let effect = awaitedEffect, openRequests == 0, effect.isThere(calls) else { return }
        awaitedEffect = nil
        performLines()
    }

    /// Fails a script's line whose effect has not come.
    func effectTimedOut(_ number: Int) {
        guard number == effectNumber, let effect = awaitedEffect else { return }
        awaitedEffect = nil
        let seconds = Int(effectTimeout)
        fail("The hub has taken the command, but after \(seconds) s it is not so that \(effect.words).")
        performLines()
    }
}

extension CallSnapshot {
    fileprivate var isAnswered: Bool { state == .connected || state == .held }
}

/// The time in which the effect of a script's line must come, in seconds.
///
/// Longer: slow devices may take longer; shorter: a script learns sooner of a device that does nothing.
private let effectTimeout = 10.0
