import AVFAudio
import CallKit
import Foundation
import ScenarioApps

/// A small app on CallKit, whose delegate performs all actions, at once or late.
@MainActor
final class PhoneApp: NSObject, CXProviderDelegate {
    /// The ways in which the app performs actions.
    enum Manner: Sendable {
        case atOnce
        case after(Duration)
        case failing
    }

    let controller = CXCallController(queue: .main)
    let provider: CXProvider
    private let device: AppDevice
    private let manner: Manner

    init(_ device: AppDevice, groups: Int, _ manner: Manner) {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = groups
        configuration.supportsVideo = true
        provider = CXProvider(configuration: configuration)
        (self.device, self.manner) = (device, manner)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    /// An app for scenarios, which requests everything by its controller.
    nonisolated static func tested(groups: Int = 2, _ manner: Manner = .atOnce) -> TestedApp {
        TestedApp { device in
            let app = PhoneApp(device, groups: groups, manner)
            var commands = AppCommands(app.controller)
            commands.keepsAlive(app)
            return commands
        }
    }

    private func perform(_ action: CXAction) {
        switch manner {
        case .atOnce: action.fulfill()
        case .failing: action.fail()
        case .after(let duration):
            Task {
                await device.sleep(for: duration)
                action.fulfill()
            }
        }
    }

    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action) }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { perform(action) }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { perform(action) }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { perform(action) }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) { perform(action) }
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) { perform(action) }
}
