import HubEngine
import HubWire

/// The steps of apps in the run's process: the app, or the user of its device, performs them.
extension Run {
    /// Makes the apps, and waits until their devices have signed in.
    func launchApps() throws(StepFailure) {
        for (index, device) in devicePool.devices.enumerated() {
            guard let app = device.app else { continue }
            let progress = app.launch(speaking: devicePool.hertz(of: index))
            let expected = "the app of \(device.party.name) signs in"
            let isIn = try waitUntil(Self.signInTimeout) { () throws(StepFailure) in
                if case .failure(let refusal)? = progress.result {
                    throw StepFailure(expected: expected, actual: refusal.sentence)
                }
                return device.connection == .open
            }
            guard isIn else { throw StepFailure(expected: expected, actual: "it has made no CXProvider") }
        }
    }

    /// Returns the task of a step that an app performs.
    ///
    /// It is done when the app has performed all actions of the step; an attempt, when they are accepted or refused.
    func performed(_ stepAction: StepAction, by index: Int, _ answer: ExpectedReply?) throws(StepFailure) -> StepTask {
        let device = devicePool.devices[index]
        let isOnScreen = stepAction.deviceReference?.device == DeviceReference.screen
        let name = stepAction.deviceReference?.description ?? device.party.name
        switch stepAction {
        case .attempt(let stepAction): return try performed(stepAction, by: index, .either)
        case .transaction(_, let actions, let refusal):
            let answer = answer ?? ExpectedReply(refusal)
            return appTask(
                index,
                answer,
                needs: "\(name) can ask for \(description(for: actions))",
                isReady: { actions.allSatisfy { self.isReady($0, index, answer) } },
                requests: { actions.flatMap { self.requests($0, index, answer) } },
                command: { isOnScreen ? .tap($0) : .request($0) }
            )
        case .swap(_, let first, let second):
            return appTask(
                index,
                answer ?? .accepted,
                needs: "\(name) has an active call and a held one",
                isReady: { self.swapRequests(index, first, second) != nil },
                requests: { self.swapRequests(index, first, second) ?? [] },
                command: { isOnScreen ? .tap($0) : .request($0) }
            )
        case .choose(_, let choice, let call):
            let offered = { self.call(call, index)?.choices.first { $0.name == choice } }
            return appTask(
                index,
                answer ?? .accepted,
                needs: "\(name) is offered \(choice.words) for \(call)",
                isReady: { offered() != nil },
                requests: { offered()?.actions ?? [] },
                command: { _ in self.uuid(call, index).map { .choose(choice, $0) } }
            )
        case .showAppearance(_, let change, _):
            return appTask(
                index,
                answer ?? .accepted,
                needs: "\(name) is signed in",
                isReady: { true },
                requests: { [] },
                command: { _ in .showIcon(self.icon(change)) }
            )
        case .configure(_, let configuration, _, _):
            return appTask(
                index,
                answer ?? .accepted,
                needs: "\(name) is signed in",
                isReady: { true },
                requests: { [] },
                command: { _ in configuration.localizedName.map { .rename($0) } }
            )
        case .connection(_, .drops, _), .connection(_, .resumes, _): return appLink(stepAction, index)
        default:
            throw StepFailure(expected: "\(name) performs the step", actual: "no app can perform this step")
        }
    }

    private func appTask(
        _ index: Int,
        _ answer: ExpectedReply,
        needs: String,
        isReady: @escaping () -> Bool,
        requests: @escaping () -> [ActionRequest],
        command: @escaping ([ActionRequest]) -> AppCommand?
    ) -> StepTask {
        let device = devicePool.devices[index]
        let step = AppStep()
        return StepTask(
            needs: needs,
            expects: "the app of \(device.party.name) performs the step",
            isReady: { () throws(StepFailure) in device.connection == .open && isReady() },
            isDone: { () throws(StepFailure) in try self.isDone(step, index, answer) },
            state: {
                guard device.connection == .open else { return self.lastConnectionEvent(of: index) }
                let state = self.devicePool.callsOfAll(index)
                if isReady(), step.progress != nil, step.progress?.result == nil {
                    return "the app's command has not ended; \(state)"
                }
                return state
            },
            begin: { () throws(StepFailure) in
                step.before = device.requestedActions.count
                step.starts = self.devicePool.calls.conversations.count
                step.requests = requests()
                step.progress = command(step.requests).flatMap { device.app?.perform($0) }
            }
        )
    }

    /// A step that an app performs.
    private final class AppStep {
        /// The number of actions that the device was asked to perform before the step.
        var before = 0
        /// The number of conversations before the step.
        var starts = 0
        var requests: [ActionRequest] = []
        var progress: AppProgress?
    }

    private func isDone(_ step: AppStep, _ index: Int, _ answer: ExpectedReply) throws(StepFailure) -> Bool {
        guard let result = step.progress?.result else { return false }
        let party = devicePool.devices[index].party.name
        if case .failure = result { devicePool.calls.abandon(after: step.starts, by: party) }
        switch (result, answer) {
        case (_, .either): return true
        case (.success, .accepted):
            for request in step.requests.prefix(while: { !$0.kind.waits }) {
                guard try isPerformed(request, step, index) else { return false }
            }
            return true
        case (.failure(let refusal), .accepted):
            throw StepFailure(expected: "the app of \(party) performs the step", actual: refusal.sentence)
        case (.success, .refused(let name)):
            throw StepFailure(
                expected: "the app of \(party) is refused with \(name)",
                actual: "its request is accepted"
            )
        case (.failure(let refusal), .refused(let name)):
            if refusal.name == name { return true }
            throw StepFailure(expected: "the app of \(party) is refused with \(name)", actual: refusal.sentence)
        }
    }

    /// Indicates that an app has performed an action of a step; throws a failure if it has failed it.
    private func isPerformed(_ request: ActionRequest, _ step: AppStep, _ index: Int) throws(StepFailure) -> Bool {
        let device = devicePool.devices[index]
        var calls = [request.callUUID]
        if case .setGroup(let other?) = request.kind { calls.append(other) }
        if request.kind.isStart {
            calls = devicePool.calls.conversations.dropFirst(step.starts).compactMap { $0.ends[device.party.name] }
        }
        let kind = ActionKindName(request.kind)
        let asked = device.requestedActions.dropFirst(step.before).map(\.action).filter { action in
            ActionKindName(action.kind) == kind && calls.contains(action.callUUID)
        }
        for action in asked {
            guard let reason = device.unperformed[action.uuid] else { continue }
            let what = devicePool.description(for: action.kind, action.callUUID)
            throw StepFailure(
                expected: "the app of \(device.party.name) performs \(what)",
                actual: "it \(reason)"
            )
        }
        return asked.contains { device.performed.contains($0.uuid) }
    }

    /// Returns the task that cuts or restores the link of an app's device, which connects again by itself.
    private func appLink(_ stepAction: StepAction, _ index: Int) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        guard case .connection(_, .drops, _) = stepAction else {
            return StepTask(
                needs: "\(device.party.name) has lost its connection",
                expects: "\(device.party.name) resumes",
                isReady: { () throws(StepFailure) in device.connection != .open },
                isDone: { () throws(StepFailure) in device.connection == .open },
                state: { self.lastConnectionEvent(of: index) },
                begin: { () throws(StepFailure) in
                    devicePool.allowDeliverySkew()
                    device.app?.setLink(isCut: false)
                }
            )
        }
        return StepTask(
            needs: "\(device.party.name) has a connection",
            expects: "the connection of \(device.party.name) ends",
            isReady: { () throws(StepFailure) in device.connection == .open },
            isDone: { () throws(StepFailure) in device.connection != .open },
            state: { "it goes on" },
            begin: { () throws(StepFailure) in
                devicePool.note(index, .connection, "drops", "the connection is cut")
                devicePool.allowDeliverySkew()
                devicePool.links[index].mayDisconnect = true
                device.app?.setLink(isCut: true)
            }
        )
    }
}
