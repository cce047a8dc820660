import CallKit
import CallSystem
import Foundation
import Intents
import Testing

@testable import Calls

/// The app on a device of a simulated hub, and the phones of other people.
@MainActor
struct Fixture {
    let hub: SimulatedHub
    let device: CallSystem
    let app: AppDelegate
    let bob: CallScreen
    let carol: CallScreen

    init(settings: CallSystemSettings = CallSystemSettings()) async throws {
        hub = try SimulatedHub()
        device = hub.device("alice", settings: settings)
        app = device.run {
            let app = AppDelegate()
            _ = app.launch()
            return app
        }
        (bob, carol) = (hub.phone("bob"), hub.phone("carol"))
        await hub.settle()
    }

    /// The screen of the device's system.
    var user: CallScreen { device.user }
    /// The app's own list.
    var calls: [Call] { app.manager.calls }
    var states: [Call.State] { calls.map(\.state) }
    var isAudioRunning: Bool { app.provider.audio.isRunning }

    /// Has the app do something, and waits for what that causes.
    func act(_ body: (CallManager) -> Void) async {
        device.run { body(app.manager) }
        await hub.settle()
    }

    /// Has the app in a call with somebody, whom it has called.
    func talk(to phone: CallScreen, _ handle: String) async throws -> Call {
        await act { $0.startCall(to: handle) }
        try await phone.answer()
        return try #require(calls.last)
    }

    /// The code of CallKit's last refusal.
    var refusal: CXErrorCodeRequestTransactionError.Code? {
        (app.manager.lastError as? CXErrorCodeRequestTransactionError)?.code
    }

    func person(_ handle: String, _ type: INPersonHandleType = .unknown) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: handle, type: type),
            nameComponents: nil,
            displayName: nil,
            image: nil,
            contactIdentifier: nil,
            customIdentifier: nil
        )
    }
}
