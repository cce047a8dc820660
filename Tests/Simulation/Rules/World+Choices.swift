import HubEngine

/// Checks that every choice of a ringing call can be requested on a copy of the engine (callkit-semantics.md 2.5,
/// row CK-38).
extension World {
    mutating func checkChoices(of hubSession: HubSession, on device: Int) {
        let isObedient = shape.devices[device].fulfillment == .automatic && !hubSession.actionOutcomes.isOffered
        for call in hubSession.notified.calls where call.state == .ringing {
            for choice in call.choices {
                var copy = engine
                var effects: [Effect] = []
                let request = Request.transaction(choice.actions)
                copy.handle(
                    .request(hubSession.session, request, token: RequestToken(rawValue: 0)),
                    at: now,
                    into: &effects
                )
                guard case .reply(_, .accepted)? = effects.first else {
                    return fail("every choice is accepted", "\(shape.devices[device].name): \(choice.name) \(effects)")
                }
                guard isObedient, !callsOnMachine(of: device).contains(where: { $0.isBusy }),
                    !isCompanionPerforming(of: device)
                else { continue }
                if !isCarriedOut(choice, for: call, among: effects, of: hubSession.session) {
                    fail("every choice has its effect", "\(shape.devices[device].name): \(choice.name) \(effects)")
                }
            }
        }
    }

    /// Indicates that the call is connected, or ended if the choice declines it, by the request's own effects.
    private func isCarriedOut(
        _ choice: Choice,
        for call: CallSnapshot,
        among effects: [Effect],
        of session: SessionID
    ) -> Bool {
        let changes = effects.compactMap { effect -> CallSnapshot? in
            guard case .notify(session, .callChanged(let changed)) = effect, changed.uuid == call.uuid else {
                return nil
            }
            return changed
        }
        return choice.name == .decline ? changes.last?.hasEnded == true : changes.last?.state == .connected
    }
}

extension CallSnapshot {
    /// Indicates that the call is being placed or connected, which may come first.
    fileprivate var isBusy: Bool { state == .starting || state == .connecting }
}
