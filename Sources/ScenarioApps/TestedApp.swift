import CallKit
public import CallSystem
import Foundation

/// An app that is the phone of a party in a scenario: how it is made, and what the scenario's steps have it do.
///
/// ```swift
/// let hotline = TestedApp { device in
///     let manager = CallManager()  // The app's own classes, with its CXProvider and CXCallController.
///     let provider = ProviderDelegate(manager: manager)
///     var commands = AppCommands()
///     commands.start = { handle, _ in manager.startCall(to: handle.value) }
///     commands.end = { call in manager.end(call) }
///     commands.keepsAlive(provider)
///     return commands
/// }
/// ```
public struct TestedApp: Sendable {
    let make: @MainActor @Sendable (AppDevice) throws -> AppCommands

    /// Creates an app that is made for each run.
    ///
    /// - Parameter make: The closure that makes the app on its device, and returns its commands; what they use lives
    ///   until the end of the run.
    public init(_ make: @escaping @MainActor @Sendable (AppDevice) throws -> AppCommands) {
        self.make = make
    }
}

/// The device of an app in a run.
public struct AppDevice: Sendable {
    /// The account of the device, which is the party's name.
    public let account: String
    /// The telephone system of the device.
    public let system: CallSystem
    let hub: SimulatedHub

    /// Waits for a time of the run, for apps that act late.
    public func sleep(for duration: Duration) async {
        await hub.sleep(for: duration)
    }
}
