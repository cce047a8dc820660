import HubEngine

// Answers to incoming calls that need no user.
extension SystemCore {
    /// Answers or declines a call that has begun to ring on the screen, as the settings say.
    func answerBySettings(_ index: Int) {
        let call = calls[index]
        guard settings.answer != .never, call.snapshot?.state == .ringing, !call.isAnnounced, !call.isAnswerDue else {
            return
        }
        calls[index].isAnswerDue = true
        let wait = if case .after(let duration) = settings.answer { duration } else { Duration.zero }
        backend.schedule(after: wait) { [weak self] in self?.answer(call.uuid) }
    }

    private func answer(_ uuid: CallUUID) {
        guard let call = calls.first(where: { $0.uuid == uuid }), let snapshot = call.snapshot,
            snapshot.state == .ringing
        else { return }
        let isDeclined = settings.answer == .decline
        let choice = snapshot.choices.first { ($0.name == .decline) == isDeclined }
        let plain = [ActionRequest(callUUID: uuid, kind: isDeclined ? .end : .answer)]
        request(choice?.actions ?? plain) { [weak self] error in
            guard let error else { return }
            self?.system?.warn("The call of \(snapshot.localizedCallerName) was not answered: \(error)")
        }
    }
}
