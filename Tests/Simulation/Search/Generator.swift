import HubEngine

/// Chooses the next operation: mostly one that sensible people would do with what they see, sometimes not.
struct Generator {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed ^ 0x5EED)
    }

    mutating func next(in world: World) -> Operation {
        let device = random.number(0...world.shape.devices.count - 1)
        return Operation(device: device, deed: deed(of: device, in: world))
    }

    private mutating func deed(of device: Int, in world: World) -> Operation.Deed {
        if random.chance(40) { return worldly(world) }
        if world.isDraining, random.chance(30) { return .restart }
        if random.chance(12) { return time() }
        switch world.clients[device].standing {
        case .away: return random.chance(2) ? .signIn : time()
        case .asking: return random.chance(6) ? .drop(noticedAfter: delay()) : .jump
        case .lost:
            if random.chance(3) { return .wait(milliseconds: random.number(1...50) * 1000) }
            return random.chance(8) ? .signIn : .resume(resends: random.chance(2))
        case .present: return phone(world.clients[device].view)
        }
    }

    private mutating func phone(_ view: View) -> Operation.Deed {
        if random.chance(25) { return connection() }
        if random.chance(25) { return odd() }
        if !view.offers.isEmpty, random.chance(2) {
            return .execute(which: random.number(0...3), handled: random.chance(2))
        }
        if !view.performs.isEmpty, !random.chance(3) {
            return .respond(which: random.chance(3) ? random.number(0...5) : 0, fulfills: !random.chance(8))
        }
        if view.calls.contains(where: { $0.state == .ringing }), random.chance(2) {
            return .choose(ringing: random.number(0...2), choice: random.chance(3) ? random.number(0...3) : 0)
        }
        if view.calls.isEmpty, !random.chance(4) { return .request([start()]) }
        return .request(wishes(view))
    }

    private mutating func wishes(_ view: View) -> [Operation.Wish] {
        let hasHeld = view.calls.contains { $0.state == .held }
        switch random.number(0...27) {
        case 0...3: return [start()]
        case 4: return [.end(.active(place())), start()]
        case 5...6: return [.end(.active(place()))]
        case 7: return [random.chance(2) ? .end(.any(place())) : .endHere(.any(place()))]
        case 8...9:
            return hasHeld ? [.hold(.active(0), true), .hold(.held(place()), false)] : [.hold(.active(0), true)]
        case 10: return [.hold(.held(place()), false)]
        case 11...12: return [.mute(.any(place()), random.chance(2))]
        case 13...16: return [.merge(.active(place()), with: .held(place()))]
        case 17: return [.merge(.held(place()), with: .active(place()))]
        case 18...19: return [.split(.grouped(place()))]
        case 20...21:
            return [.key(.active(place()), digits(), [.singleTone, .softPause, .hardPause].one(using: &random))]
        case 22...23: return [.pull(place())]
        case 24: return [.translate(.active(place()), random.chance(2))]
        default: return (0...random.number(0...2)).map { _ in wish() }
        }
    }

    /// Returns any action.
    private mutating func wish() -> Operation.Wish {
        switch random.number(0...11) {
        case 0: .start(target: random.number(0...10), video: random.chance(2), external: random.chance(2))
        case 1: .answer(which())
        case 2: .end(which())
        case 3: .endHere(which())
        case 4, 5: .hold(which(), random.chance(2))
        case 6: .mute(which(), random.chance(2))
        case 7: .merge(which(), with: which())
        case 8: .split(which())
        case 9: .key(which(), digits(), .singleTone)
        case 10: .pull(place())
        default: random.chance(2) ? .translate(which(), true) : .nothing(which())
        }
    }

    private mutating func start() -> Operation.Wish {
        .start(
            target: random.chance(4) ? random.number(0...10) : random.number(0...5),
            video: random.chance(6),
            external: random.chance(8)
        )
    }

    private mutating func which() -> Operation.Which {
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
    private mutating func odd() -> Operation.Deed {
        switch random.number(0...15) {
        case 0...3:
            .reportIncoming(
                caller: random.number(0...10),
                uuid: random.chance(6) ? which() : nil,
                video: random.chance(4)
            )
        case 4...6:
            .reportUpdate(
                random.chance(6) ? which() : .any(place()),
                field: random.number(0...6),
                isOn: random.chance(2)
            )
        case 7: .reportEnded(which(), EndReason.allCases.one(using: &random))
        case 8...9:
            .reportOutgoing(random.chance(4) ? which() : .active(0), random.chance(2) ? .connected : .startedConnecting)
        case 10:
            .configure(
                groups: random.number(1...3),
                perGroup: random.number(1...5),
                video: random.chance(2)
            )
        case 11: random.chance(4) ? .invalidate : .ask(pending: false)
        case 12: .respondAgain(which: place())
        case 13: .ask(pending: random.chance(2))
        default: .babble(random.number(0...29))
        }
    }

    private mutating func connection() -> Operation.Deed {
        switch random.number(0...9) {
        case 0...3: .drop(noticedAfter: delay())
        case 4: .resume(resends: random.chance(2))
        case 5: .signIn
        case 6: random.chance(2) ? .leave : .ask(pending: true)
        default: .network(up: random.chance(2) ? 0 : delay(), down: random.chance(2) ? 0 : delay())
        }
    }

    private mutating func worldly(_ world: World) -> Operation.Deed {
        let account = random.number(0...world.shape.accounts.count - 1)
        switch random.number(0...45) {
        case 0...7: return .setQuiet(isOn: random.chance(3))
        case 40...44: return .setDeviceQuiet(isOn: random.chance(2))
        case 45: return .endConversation(random.number(0...9))
        case 8...17: return .setBlocked(account: account, isOn: random.chance(4))
        case 18...25: return .setExempt(account: account, isOn: random.chance(2))
        case 26...37: return .lookUps(take: random.chance(2) ? 0 : random.number(1...5000))
        case 38: return .restart
        default: return random.chance(2) ? .drain(milliseconds: random.number(1...60_000)) : .restart
        }
    }

    private mutating func time() -> Operation.Deed {
        switch random.number(0...19) {
        case 0...8: .jump
        case 9...18: .wait(milliseconds: random.number(1...2000))
        default: .wait(milliseconds: random.number(1...70) * 1000)
        }
    }

    private mutating func digits() -> String { ["1", "5#", "2468", "x"].one(using: &random) }
    private mutating func place() -> Int { random.number(0...3) }
    private mutating func delay() -> Int { random.chance(2) ? random.number(1...50) : random.number(50...3000) }
}
