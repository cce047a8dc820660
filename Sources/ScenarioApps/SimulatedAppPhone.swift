import CallSystem
import Foundation
import HubEngine
import HubSimulator
import HubWire
import ScenarioKit

/// An app on a device of the simulated hub, whose steps are requests to it.
final class SimulatedAppPhone: AppPhone {
    let connection: Int
    private let account: String
    private let app: TestedApp
    private let hub: SimulatedHub
    private let inbox: EventInbox
    private var system: CallSystem?
    private let commands = CommandsBox()

    /// The app's commands, once it is made; used on the main actor alone.
    @MainActor
    private final class CommandsBox {
        var commands: AppCommands?

        nonisolated init() {}
    }

    init(_ app: TestedApp, of account: String, connection: Int, at hub: SimulatedHub, _ inbox: EventInbox) {
        (self.app, self.account, self.connection, self.hub, self.inbox) = (app, account, connection, hub, inbox)
    }

    func launch(speaking hertz: Double?) -> AppProgress {
        var settings = CallSystemSettings()
        if let hertz { settings.audioInput = .tone(hertz: hertz) }
        settings.audioOutput = .memory
        let system = hub.device(account, settings: settings) { [inbox, connection, hub] event in
            inbox.add(event, of: connection, at: hub)
        }
        self.system = system
        let progress = AppProgress()
        let device = AppDevice(account: account, system: system, hub: hub)
        begin(progress, on: system) { [app, commands] in
            commands.commands = try app.make(device)
        }
        return progress
    }

    func perform(_ command: AppCommand) -> AppProgress {
        let progress = AppProgress()
        guard let system else { return progress }
        switch command {
        case .request(let actions):
            let actions = actions.map { $0.withAppUUIDs(of: system) }
            begin(progress, on: system) { [commands] in
                try await commands.commands?.request(actions)
            }
        case .tap(let actions):
            let actions = actions.map { $0.withAppUUIDs(of: system) }
            begin(progress, on: system) { try await system.user.tap(actions) }
        case .choose(let choice, let call):
            let call = system.appUUID(of: call).uuid
            begin(progress, on: system) { try await system.user.choose(choice.screenChoice, call) }
        case .showIcon(let icon):
            begin(progress, on: system) { [commands] in
                try await commands.commands?.show(icon: icon.map { Data($0) })
            }
        case .rename(let name):
            begin(progress, on: system) { [commands] in
                try await commands.commands?.rename(to: name)
            }
        }
        return progress
    }

    private func begin(
        _ progress: AppProgress,
        on system: CallSystem,
        _ body: @escaping @MainActor @Sendable () async throws -> Void
    ) {
        system.begin(body) { result in progress.end(result.mapError(Self.refusal)) }
    }

    func setLink(isCut: Bool) {
        if let system { hub.setLink(of: system, isCut: isCut) }
    }

    /// Sends a request of the run over the device's connection.
    func send(_ text: [UInt8]) {
        if let system { hub.send(text, over: system) }
    }

    /// The sound that the device has played since the last look.
    func takePlayed() -> [Int16] { system?.user.takeHeard().samples ?? [] }

    /// Releases the app, with its calls.
    func end() {
        guard let system else { return }
        begin(AppProgress(), on: system) { [commands] in commands.commands = nil }
        self.system = nil
    }

    /// Returns the reason of an error, with the name that the hub has for it.
    private static func refusal(_ error: any Error) -> AppProgress.Refusal {
        if let refusal = error as? AppProgress.Refusal { return refusal }
        let sentence = "it throws: \(AppError.sentence(for: error))"
        return AppProgress.Refusal(name: AppError.name(of: error), sentence: sentence)
    }
}

extension ActionRequest {
    /// Returns the same with the UUIDs by which the app knows the calls.
    fileprivate func withAppUUIDs(of system: CallSystem) -> ActionRequest {
        var action = self
        action.callUUID = system.appUUID(of: callUUID)
        if case .setGroup(let other?) = kind { action.kind = .setGroup(with: system.appUUID(of: other)) }
        if case .transfer(.call(let other)) = kind { action.kind = .transfer(to: .call(system.appUUID(of: other))) }
        return action
    }
}

extension Choice.Name {
    fileprivate var screenChoice: ScreenCall.Choice { ScreenCall.Choice(rawValue: rawValue) ?? .accept }
}

extension CallScreen {
    /// Taps the buttons for the actions of a step: one, or the two of a swap.
    fileprivate func tap(_ actions: [ActionRequest]) async throws {
        guard let action = actions.first else { return }
        let call = action.callUUID.uuid
        if actions.count == 2 { return try await swap(call, with: actions[1].callUUID.uuid) }
        switch action.kind {
        case .start(let handle, let isVideo, _, _):
            try await start(handle.value, handle.screenType, isVideo: isVideo)
        case .answer: try await answer(call)
        case .end: try await end(call)
        case .setHeld(true): try await hold(call)
        case .setHeld(false): try await resume(call)
        case .setMuted(let isMuted): try await mute(isMuted, call)
        case .setGroup(let other?): try await merge(call, with: other.uuid)
        case .setGroup(nil): try await split(call)
        case .playDTMF(let digits, _): try await keypad(digits, call)
        case .setTranslating(let isOn, let local, let remote):
            try await translate(isOn, from: local ?? "en", to: remote ?? "en", call)
        case .transfer(.call(let other)): try await transfer(call, to: other.uuid)
        case .transfer(.handle(let handle)): try await transfer(call, to: handle.value, handle.screenType)
        case .endHere, .decline, .pull, .unknown:
            throw AppProgress.Refusal(sentence: "the call screen has no button for this action")
        }
    }
}

extension Handle {
    fileprivate var screenType: CallScreen.HandleType {
        switch type {
        case .phoneNumber: .phoneNumber
        case .emailAddress: .emailAddress
        default: .generic
        }
    }
}
