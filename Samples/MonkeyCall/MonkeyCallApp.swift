import CallKit
import CallSystem
import Foundation
import Intents
import SampleTerminal

/// The app, with commands in place of buttons.
@MainActor
final class MonkeyCallApp {
    let terminal: Terminal
    let manager: ActiveCallManager
    let audio: CallAudio
    private let system = CallSystem.current
    private let provider: ProviderDelegate
    private let service: VoIPService

    init(_ terminal: Terminal) {
        self.terminal = terminal
        manager = ActiveCallManager { terminal.print("\($0.handle): \($0.stage)") }
        audio = CallAudio { terminal.print("audio: \($0)") }
        provider = ProviderDelegate(manager: manager, audio: audio) { terminal.print("ready") }
        service = VoIPService(provider: provider) { terminal.print($0) }
        addCommands()
        terminal.addScreen(of: system)
    }

    private func addCommands() {
        terminal.add("list", "", "lists the app's calls") { [unowned self] _ in
            for call in manager.calls { terminal.print("\(call.handle): \(call.stage)") }
        }
        terminal.add("call", "HANDLE", "calls somebody, as echo, bob") { [unowned self] words in
            try await manager.startCall(CXHandle(type: .generic, value: words[0]))
        }
        terminal.add("open", "LINK", "opens a link, as monkeycall:bob") { [unowned self] words in
            guard let link = URL(string: words[0]), let request = StartCallRequest(link: link) else {
                throw TerminalError("\(words[0]) is no link of this app; one is \(StartCallRequest.scheme):bob.")
            }
            try await manager.startCall(request.handle)
        }
        terminal.add("redial", "HANDLE", "taps somebody in the system's Recents") { [unowned self] words in
            try await resume(system.user.activity(for: Self.interaction(words[0])))
        }
        terminal.add("incoming", "HANDLE", "has the VoIP service make up an incoming call") { [unowned self] words in
            service.simulateCall(from: words[0])
        }
        terminal.add("hangup", "HANDLE", "has the other end of a made-up call hang up") { [unowned self] words in
            provider.reportEnd(of: try call(words[0]))
        }
        terminal.add("end", "HANDLE", "ends a call") { [unowned self] words in
            try await manager.endCall(try call(words[0]))
        }
        terminal.add("hold", "HANDLE", "holds a call") { [unowned self] words in
            try await manager.setHeld(try call(words[0]), true)
        }
        terminal.add("resume", "HANDLE", "resumes a held call") { [unowned self] words in
            try await manager.setHeld(try call(words[0]), false)
        }
    }

    /// Continues an activity, as an application delegate is asked to.
    func resume(_ activity: NSUserActivity) async throws {
        guard let request = StartCallRequest(activity: activity) else {
            throw TerminalError("The activity \(activity.activityType) is not for this app.")
        }
        try await manager.startCall(request.handle)
    }

    private func call(_ handle: String) throws -> ActiveCall {
        if let call = manager.findCall(with: handle) { return call }
        throw TerminalError("There is no call with \(handle).")
    }

    private static func interaction(_ handle: String) -> INInteraction {
        let person = INPerson(
            personHandle: INPersonHandle(value: handle, type: .unknown),
            nameComponents: nil,
            displayName: nil,
            image: nil,
            contactIdentifier: nil,
            customIdentifier: nil
        )
        let intent = INStartCallIntent(
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [person],
            recordTypeForRedialing: .outgoing,
            callCapability: .audioCall
        )
        return INInteraction(intent: intent, response: nil)
    }
}
