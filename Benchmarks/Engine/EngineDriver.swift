import BenchmarkSupport
import HubEngine

/// An engine with signed-in devices, and the least driver they need.
///
/// The driver answers the engine's look-ups and stores nothing.
struct EngineDriver {
    private var engine: Engine
    /// The effects of the last event; used again, as a driver does.
    private(set) var effects: [Effect] = []
    private var now = Instant(nanoseconds: 0)
    private var lastNumber: UInt64 = 0

    /// Creates a driver without devices, with a ring timeout of an hour of simulated time.
    init() {
        var configuration = EngineConfiguration(seed: 1)
        configuration.ringTimeout = .seconds(3600)
        engine = Engine(configuration)
    }

    /// The numbers of objects that the engine holds.
    var objectCounts: ObjectCounts { engine.objectCounts }

    /// Creates two new accounts and signs in two devices of each.
    mutating func makePair(_ number: Int) throws(BenchmarkError) -> Pair {
        Pair(caller: try signIn("caller\(number)"), callee: try signIn("callee\(number)"))
    }

    private mutating func signIn(_ account: String) throws(BenchmarkError) -> Party {
        var devices: [SessionID] = []
        for device in ["desk", "mobile"] {
            let opening = SessionOpening(account: account, handles: [.generic(account)], deviceID: device)
            handle(.sessionOpened(opening, token: token()))
            guard case .reply(_, .opened(let session, _, _)) = effects.first else {
                throw BenchmarkError("\(account) could not sign in: \(effects)")
            }
            devices.append(session)
        }
        return Party(account: account, devices: devices)
    }

    /// Sets a call up: starts it, rings both devices, and answers on one of them.
    mutating func setUp(_ pair: Pair) throws(BenchmarkError) -> LiveCall {
        let call = try ring(pair)
        request(.answer, on: call.incoming, by: pair.callee)
        return call
    }

    /// Performs the first half of a set-up: starts the call, which rings on both devices.
    mutating func ring(_ pair: Pair) throws(BenchmarkError) -> LiveCall {
        lastNumber += 1
        let outgoing = CallUUID(high: 0xC0FFEE, low: lastNumber)
        let handle = Handle.generic(pair.callee.account)
        request(.start(handle: handle, isVideo: false, contactIdentifier: nil), on: outgoing, by: pair.caller)
        guard case .lookUp(let question, let lookUp)? = effects.last else {
            throw BenchmarkError("the engine does not look up \(pair.callee.account): \(effects)")
        }
        self.handle(.lookedUp(question, LookUpResult(.account(lookUp.handle.value, CallerScreeningData()))))
        for case .notify(let session, .callChanged(let call)) in effects where session == pair.callee.devices[0] {
            return LiveCall(pair: pair, outgoing: outgoing, incoming: call.uuid)
        }
        throw BenchmarkError("\(pair.callee.account) does not ring: \(effects)")
    }

    /// Ends the call by the caller.
    mutating func end(_ call: LiveCall) {
        request(.end, on: call.outgoing, by: call.pair.caller)
    }

    /// Requests a transaction of one action by a party's first device.
    mutating func request(_ kind: ActionKind, on call: CallUUID, by party: Party) {
        let action = ActionRequest(callUUID: call, kind: kind)
        handle(.request(party.devices[0], .transaction([action]), token: token()))
    }

    private mutating func handle(_ event: Event) {
        effects.removeAll(keepingCapacity: true)
        now = now + .microseconds(1)
        engine.handle(event, at: now, into: &effects)
    }

    private mutating func token() -> RequestToken {
        lastNumber += 1
        return RequestToken(rawValue: lastNumber)
    }
}
