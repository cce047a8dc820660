import AVFAudio
import CallKit
import CallSystem
import Dispatch
import Foundation

/// An app on CallKit that fulfils every action, and the callbacks of its audio session.
final class HeardApp: NSObject, @unchecked Sendable {
    let system: CallSystem
    private let provider: CXProvider
    private let controller: CXCallController
    private let callbacks: AsyncStream<String>
    private let note: AsyncStream<String>.Continuation

    init(_ account: String, at url: String, _ input: AudioInput, _ output: AudioOutput) {
        var settings = CallSystemSettings()
        (settings.audioInput, settings.audioOutput) = (input, output)
        let system = CallSystem(HubAccess(url: url, account: account), settings: settings)
        self.system = system
        (provider, controller) = system.run {
            (CXProvider(configuration: CXProviderConfiguration()), CXCallController())
        }
        (callbacks, note) = AsyncStream.makeStream(of: String.self)
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "HeardApp"))
    }

    /// Waits for a callback: `begin`, `activate` or `deactivate`.
    func wait(for name: String) async {
        for await callback in callbacks where callback == name { return }
    }

    /// Starts a call, and waits until its audio session is active.
    func call(_ handle: String) async throws {
        let handle = CXHandle(type: .generic, value: handle)
        try await controller.requestTransaction(with: CXStartCallAction(call: UUID(), handle: handle))
        await wait(for: "activate")
    }

    /// Hangs up, and waits until no frame flows any more.
    func end() async throws {
        try await system.user.end()
        await wait(for: "deactivate")
    }
}

extension HeardApp: CXProviderDelegate {
    func providerDidBegin(_ provider: CXProvider) { note.yield("begin") }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { note.yield("activate") }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { note.yield("deactivate") }
}
