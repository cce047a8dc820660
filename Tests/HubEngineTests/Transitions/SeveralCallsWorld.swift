import HubEngine
import HubSimulation
import Testing

/// A device with some calls, in the notation of the tables.
///
/// `held, connected + connected, ringing` is a held call, a group of two and one that rings. Its provider has CallKit's
/// defaults, so it takes two groups.
struct SeveralCallsWorld {
    var hub = SimulatedHub()
    let device: SessionID
    private var peers = 0
    /// The device's calls, and the sessions at their other ends.
    private var farEnds: [(call: CallUUID, peer: SessionID, far: CallUUID)] = []

    init(_ words: String) throws {
        device = try hub.open("device")
        var states: [(CallUUID, String)] = []
        for group in words.split(separator: ", ") where group != "none" {
            var first: CallUUID?
            for state in group.split(separator: " + ") {
                let call = try makeCall(String(state))
                if let first { hub.request(device, call, .setGroup(with: first)) }
                first = first ?? call
            }
            if let first { states.append((first, String(group))) }
        }
        for (call, state) in states where state.hasPrefix("held") { hub.request(device, call, .setHeld(true)) }
        for (call, state) in states where state.hasPrefix("connected") { hub.request(device, call, .setHeld(false)) }
        try #require(hub.violations == [])
        try #require(self.words == words, "the calls could not be made")
    }

    private mutating func makeCall(_ state: String) throws -> CallUUID {
        peers += 1
        let name = "peer\(peers)"
        let peer = try hub.open(name)
        switch state {
        case "ringing":
            let far = hub.start(peer, to: "device")
            let call = try #require(hub.ringing(device)).uuid
            farEnds.append((call, peer, far))
            return call
        case "connecting":
            return hub.start(device, to: name)
        default:
            let both = try hub.connect(device, to: name, on: peer)
            farEnds.append((both.outgoing, peer, both.incoming))
            return both.outgoing
        }
    }

    /// The device's calls as the tables write them, in the order in which they came.
    var words: String {
        var groups: [(GroupUUID?, [String])] = []
        for call in hub.calls(device) {
            let place = groups.firstIndex { $0.0 != nil && $0.0 == call.group }
            if let place {
                groups[place].1.append("\(call.state)")
            } else {
                groups.append((call.group, ["\(call.state)"]))
            }
        }
        return groups.isEmpty ? "none" : groups.map { $0.1.joined(separator: " + ") }.joined(separator: ", ")
    }

    /// The device's calls after something was done; a refusal's code, or – where it could not be done at all.
    static func outcome(of deed: SeveralCallsTrigger, with words: String) throws -> String {
        var world = try SeveralCallsWorld(words)
        switch try world.perform(deed) {
        case .impossible: return "–"
        case .refused(let code): return code.number
        case .done: return world.hub.violations.first ?? world.words
        }
    }

    private enum Result {
        case impossible
        case refused(Refusal.Code)
        case done
    }

    private mutating func perform(_ deed: SeveralCallsTrigger) throws -> Result {
        switch deed {
        case .start, .startExternal:
            let isExternal = deed == .startExternal
            let kind = ActionKind.start(
                handle: isExternal ? .outsider : .generic("echo"),
                isVideo: false,
                contactIdentifier: nil,
                isExternal: isExternal
            )
            return request([(hub.makeUUID(), kind)])
        case .end(let place): return request(place, .end)
        case .hold(let place): return request(place, .setHeld(true))
        case .resume(let place): return request(place, .setHeld(false))
        case .split(let place): return request(place, .setGroup(with: nil))
        case .merge(let place, with: let target):
            guard let other = call(target) else { return .impossible }
            return request(place, .setGroup(with: other.uuid))
        case .swap:
            guard let active = hub.calls(device).first(where: { $0.state == .connected }),
                let held = hub.calls(device).first(where: { $0.state == .held })
            else { return .impossible }
            return request([(active.uuid, .setHeld(true)), (held.uuid, .setHeld(false))])
        case .answer:
            guard let ringing = hub.ringing(device) else { return .impossible }
            return request([(ringing.uuid, .answer)])
        case .choose(let name):
            let choices = hub.ringing(device)?.choices ?? []
            guard let choice = choices.first(where: { $0.name == name }) else { return .impossible }
            return request(choice.actions.map { ($0.callUUID, $0.kind) })
        case .farEnds(let place):
            guard let call = call(place), let end = farEnds.first(where: { $0.call == call.uuid }) else {
                return .impossible
            }
            hub.request(end.peer, end.far, .end)
            return .done
        case .comesIn:
            let caller = try hub.open("caller")
            _ = hub.start(caller, to: "device")
            return .done
        case .report:
            guard case .refused(let refusal) = hub.ask(device, .reportNewIncomingCall(hub.makeUUID(), .outsider)) else {
                return .done
            }
            return .refused(refusal.code)
        }
    }

    private mutating func request(_ place: Int, _ kind: ActionKind) -> Result {
        guard let call = call(place) else { return .impossible }
        return request([(call.uuid, kind)])
    }

    private mutating func request(_ actions: [(CallUUID, ActionKind)]) -> Result {
        hub.request(device, actions).map { .refused($0) } ?? .done
    }

    private func call(_ place: Int) -> CallSnapshot? {
        let calls = hub.calls(device)
        return calls.indices.contains(place - 1) ? calls[place - 1] : nil
    }
}

/// A request or event with several calls present: the rows of the table, under their names.
///
/// The calls are numbered in order of arrival, from 1.
enum SeveralCallsTrigger: Hashable {
    case start, startExternal, answer, swap, comesIn, report
    case end(Int), hold(Int), resume(Int), split(Int), farEnds(Int)
    case merge(Int, with: Int)
    case choose(Choice.Name)

    static let all: [(name: String, deed: SeveralCallsTrigger)] =
        [("start", .start), ("start an external call", .startExternal), ("answer", .answer)]
        + [1, 2, 3].map { ("end \($0)", .end($0)) }
        + [1, 2, 3].map { ("hold \($0)", .hold($0)) }
        + [1, 2, 3].map { ("resume \($0)", .resume($0)) }
        + [
            ("swap", .swap), ("merge 1 with 2", .merge(1, with: 2)), ("merge 2 with 1", .merge(2, with: 1)),
            ("merge 3 with 1", .merge(3, with: 1)), ("split 1", .split(1)), ("split 2", .split(2)),
            ("accept", .choose(.accept)), ("holdAndAccept", .choose(.holdAndAccept)),
            ("endAndAccept", .choose(.endAndAccept)), ("endHeldAndAccept", .choose(.endHeldAndAccept)),
            ("decline", .choose(.decline)),
        ]
        + [1, 2, 3].map { ("the other party of \($0) ends", .farEnds($0)) }
        + [("a call comes in", .comesIn), ("an external call is reported", .report)]
}
