import Foundation
import HubMedia

/// A running hub: its sockets, its engine and its relay on one thread of their own.
///
/// ```swift
/// let server = try HubServer.start(HubSettings())
/// print("the hub listens on port \(server.port)")
/// server.waitUntilStopped()
/// ```
///
/// Safe on any thread.
public final class HubServer: Sendable {
    let loop: LaunchedLoop
    private let recorder: EventRecorder?
    private let keeper: RecordKeeper?

    /// The port it listens on, also where the settings left the choice to the system.
    public var port: Int { loop.port }

    private init(_ loop: LaunchedLoop, _ recorder: EventRecorder?, _ keeper: RecordKeeper?) {
        self.loop = loop
        self.recorder = recorder
        self.keeper = keeper
    }

    /// Starts a hub; it listens when this returns.
    ///
    /// - Parameter settings: Everything that can be set.
    /// - Returns: The running hub.
    /// - Throws: `TransportError` where the sockets cannot be had; `MediaError` where libopus cannot;
    ///   `RecordingError` where the file for events or for records cannot.
    public static func start(_ settings: HubSettings) throws -> HubServer {
        let sounds = try BuiltInSounds.shared.get()
        let recorder = try settings.eventsFile.map { path throws(RecordingError) in
            try EventRecorder(to: path, log: HubLog(settings: settings.log))
        }
        let keeper = try settings.callsFile.map { path throws(RecordingError) in
            try RecordKeeper(to: path, log: HubLog(settings: settings.log))
        }
        do throws(TransportError) {
            let loop = try LaunchedLoop.launch(settings: settings.transport) {
                Hub(settings, sounds: sounds, recorder: recorder, keeper: keeper)
            }
            recorder?.begin()
            keeper?.begin()
            return HubServer(loop, recorder, keeper)
        } catch {
            recorder?.finish()
            keeper?.finish()
            throw error
        }
    }

    /// Stops in good order: no new calls, clients are told, calls may go on until the grace is over.
    ///
    /// - Parameter grace: How long; nil: as the settings say.
    public func drain(grace: Duration? = nil) {
        loop.mailbox.post { loop in
            guard let hub = loop.handler as? Hub else { return }
            hub.drain(grace: grace ?? hub.settings.drainGrace)
        }
    }

    /// Asks every loop to answer: who hears nothing of it knows that one hangs.
    ///
    /// - Parameter answered: Called when all have; on any thread.
    public func ping(_ answered: @escaping @Sendable () -> Void) {
        loop.mailbox.post { _ in answered() }
    }

    /// Stops at once: connections are closed with code 1001.
    public func stop() {
        loop.mailbox.post { loop in
            (loop.handler as? Hub)?.closeRecords()
            loop.stop()
        }
    }

    /// Blocks until the hub has stopped, and what was recorded is written.
    public func waitUntilStopped() {
        loop.join()
        recorder?.finish()
        keeper?.finish()
    }
}
