import HubEngine

/// A generator of operations: mostly ones that fit the state of the client, sometimes unusual ones.
struct Generator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed ^ 0x5EED)
    }

    mutating func next(in world: World) -> Operation {
        let device = random.number(0...world.shape.devices.count - 1)
        return Operation(device: device, step: step(of: device, in: world))
    }

    private mutating func step(of device: Int, in world: World) -> Operation.Step {
        if random.oneIn(40) { return hubOperation(world) }
        if world.isDraining, random.oneIn(30) { return .restart }
        if random.oneIn(12) { return time() }
        switch world.clients[device].state {
        case .signedOut: return random.oneIn(2) ? .signIn : time()
        case .awaitingReply: return random.oneIn(6) ? .drop(noticedAfter: delay()) : .skipToNextTimer
        case .lost:
            if random.oneIn(3) { return .wait(milliseconds: random.number(1...50) * 1000) }
            return random.oneIn(8) ? .signIn : .resume(resends: random.oneIn(2))
        case .signedIn: return phone(world.clients[device].notifiedState)
        }
    }

    private mutating func phone(_ notifiedState: NotifiedState) -> Operation.Step {
        if random.oneIn(25) { return connection() }
        if random.oneIn(25) { return unusualOperation() }
        if !notifiedState.offers.isEmpty, random.oneIn(2) {
            return .execute(selector: random.number(0...3), handled: random.oneIn(2))
        }
        if !notifiedState.performs.isEmpty, !random.oneIn(3) {
            return .respond(selector: random.oneIn(3) ? random.number(0...5) : 0, fulfills: !random.oneIn(8))
        }
        if notifiedState.calls.contains(where: { $0.state == .ringing }), random.oneIn(2) {
            return .choose(ringing: random.number(0...2), choice: random.oneIn(3) ? random.number(0...3) : 0)
        }
        if notifiedState.calls.isEmpty, !random.oneIn(4) { return .request([start()]) }
        return .request(requestedActions(notifiedState))
    }

    private mutating func requestedActions(_ notifiedState: NotifiedState) -> [Operation.RequestedAction] {
        let hasHeld = notifiedState.calls.contains { $0.state == .held }
        switch random.number(0...31) {
        case 0...3: return [start()]
        case 4: return [.end(.active(place())), start()]
        case 5...6: return [.end(.active(place()))]
        case 7: return [[.end(.any(place())), .endHere(.any(place())), decline()].one(using: &random)]
        case 8...9:
            return hasHeld ? [.hold(.active(0), true), .hold(.held(place()), false)] : [.hold(.active(0), true)]
        case 10: return [.hold(.held(place()), false)]
        case 11...12: return [.mute(.any(place()), random.oneIn(2))]
        case 13...16: return [.merge(.active(place()), with: .held(place()))]
        case 17: return [.merge(.held(place()), with: .active(place()))]
        case 18...19: return [.split(.grouped(place()))]
        case 20...21:
            return [.key(.active(place()), digits(), [.singleTone, .softPause, .hardPause].one(using: &random))]
        case 22...23: return [.pull(place())]
        case 24: return [.translate(.active(place()), random.oneIn(2))]
        case 25...26: return [.join(.held(place()), with: .active(place()))]
        case 27: return [.join(.active(place()), with: .held(place()))]
        case 28: return [.handOver(random.oneIn(3) ? .held(place()) : .active(place()), target: random.number(0...10))]
        default: return (0...random.number(0...2)).map { _ in requestedAction() }
        }
    }

    /// Returns any action.
    private mutating func requestedAction() -> Operation.RequestedAction {
        switch random.number(0...12) {
        case 0: .start(target: random.number(0...10), video: random.oneIn(2), external: random.oneIn(2))
        case 1: .answer(selector())
        case 2: .end(selector())
        case 3: random.oneIn(2) ? .endHere(selector()) : decline()
        case 4, 5: .hold(selector(), random.oneIn(2))
        case 6: .mute(selector(), random.oneIn(2))
        case 7: .merge(selector(), with: selector())
        case 8: .split(selector())
        case 9: .key(selector(), digits(), .singleTone)
        case 10: .pull(place())
        case 11: random.oneIn(2) ? .join(selector(), with: selector()) : .handOver(selector(), target: place())
        default: random.oneIn(2) ? .translate(selector(), true) : .nothing(selector())
        }
    }

    private mutating func decline() -> Operation.RequestedAction {
        .decline(random.oneIn(3) ? selector() : .ringing(place()), onlyHere: random.oneIn(2))
    }

    private mutating func start() -> Operation.RequestedAction {
        .start(
            target: random.oneIn(4) ? random.number(0...10) : random.number(0...5),
            video: random.oneIn(6),
            external: random.oneIn(8)
        )
    }

    private mutating func selector() -> Operation.CallSelector {
        switch random.number(0...8) {
        case 0, 1: .active(place())
        case 2, 3: .held(place())
        case 4: .ringing(place())
        case 5: .grouped(place())
        case 6: .gone(place())
        case 7: .foreign(place())
        default: .any(place())
        }
    }

    /// Returns an operation of a gateway, or one that no client should do.
    private mutating func unusualOperation() -> Operation.Step {
        switch random.number(0...15) {
        case 0...3:
            .reportIncoming(
                caller: random.number(0...10),
                uuid: random.oneIn(6) ? selector() : nil,
                video: random.oneIn(4)
            )
        case 4...6:
            .reportUpdate(
                random.oneIn(6) ? selector() : .any(place()),
                field: random.number(0...6),
                isOn: random.oneIn(2)
            )
        case 7: .reportEnded(selector(), EndReason.allCases.one(using: &random))
        case 8...9:
            .reportOutgoing(
                random.oneIn(4) ? selector() : random.oneIn(2) ? .active(0) : .any(0),
                random.oneIn(2) ? .connected : .startedConnecting
            )
        case 10:
            .configure(
                groups: random.number(1...3),
                perGroup: random.number(1...5),
                video: random.oneIn(2),
                offered: random.oneIn(3) ? random.oneIn(2) : nil
            )
        case 11: random.oneIn(4) ? .invalidate : .ask(pending: false)
        case 12: .respondAgain(selector: place())
        case 13: .ask(pending: random.oneIn(2))
        default: .sendNonsense(random.number(0...29))
        }
    }

    private mutating func connection() -> Operation.Step {
        switch random.number(0...9) {
        case 0...3: .drop(noticedAfter: delay())
        case 4: .resume(resends: random.oneIn(2))
        case 5: .signIn
        case 6: random.oneIn(2) ? .leave : .ask(pending: true)
        default: .network(uplink: random.oneIn(2) ? 0 : delay(), downlink: random.oneIn(2) ? 0 : delay())
        }
    }

    private mutating func hubOperation(_ world: World) -> Operation.Step {
        let account = random.number(0...world.shape.accounts.count - 1)
        switch random.number(0...58) {
        case 55...58: return .setHoldAudio(HoldAudio.allCases[random.number(0...2)])
        case 52...54: return .setRefusingStrangers(isOn: random.oneIn(2))
        case 46...51: return .setHidden(isOn: random.oneIn(2))
        case 0...7: return .setQuiet(isOn: random.oneIn(3))
        case 40...44: return .setDeviceQuiet(isOn: random.oneIn(2))
        case 45: return .endConversation(random.number(0...9))
        case 8...17: return .setBlocked(account: account, isOn: random.oneIn(4))
        case 18...25: return .setExempt(account: account, isOn: random.oneIn(2))
        case 26...37: return .lookUps(take: random.oneIn(2) ? 0 : random.number(1...5000))
        case 38: return .restart
        default: return random.oneIn(2) ? .drain(milliseconds: random.number(1...60_000)) : .restart
        }
    }

    private mutating func time() -> Operation.Step {
        switch random.number(0...19) {
        case 0...8: .skipToNextTimer
        case 9...18: .wait(milliseconds: random.number(1...2000))
        default: .wait(milliseconds: random.number(1...70) * 1000)
        }
    }

    private mutating func digits() -> String { ["1", "5#", "2468", "x"].one(using: &random) }
    private mutating func place() -> Int { random.number(0...3) }
    private mutating func delay() -> Int { random.oneIn(2) ? random.number(1...50) : random.number(50...3000) }
}
