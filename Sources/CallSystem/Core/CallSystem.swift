package import CallAudio
package import Dispatch

/// A device's telephone system, as the system service for calls is on an iPhone: the app's side of a hub.
///
/// Modules such as `CallKit` are its interface for apps; `user` is its screen, for the device's user. An app has one
/// system, ``current``, unless a test makes several devices.
///
/// ```swift
/// let hub = try SimulatedHub()
/// let system = hub.device("alice")
/// let calls = system.run { CallManager() }  // The app's own code, with its CXProvider and CXCallController.
/// let bob = hub.phone("bob")
/// try await bob.start("alice")
/// try await system.user.answer()
/// ```
public final class CallSystem: Sendable {
    /// The queue to which the core is confined.
    package let queue: DispatchQueue
    let activity: ActivityCounter
    let lastProvider = Locked(0)
    /// The sound of the device.
    package let audio: DeviceAudio
    private let warningList = Locked<[String]>([])
    let attachments = Locked<[ObjectIdentifier: any AnyObject & Sendable]>([:])
    // Used on its queue alone.
    nonisolated(unsafe) private let core: SystemCore

    /// Creates a system.
    ///
    /// - Parameters:
    ///   - settings: Its settings.
    ///   - backend: The session at the hub, confined to the queue.
    ///   - queue: A serial queue.
    ///   - activity: The counter of the app's calls.
    ///   - ticker: The clock of the frames of sound.
    init(
        _ settings: CallSystemSettings,
        backend: any CallBackend,
        queue: DispatchQueue,
        activity: ActivityCounter,
        ticker: any FrameTicker = ThreadTicker()
    ) {
        (self.queue, self.activity) = (queue, activity)
        let box = WeakBox()
        let run = CallbackRunner(queue: queue, activity: activity) { body in
            Self.$taskCurrent.withValue(box.system, operation: body)
        }
        audio = DeviceAudio(input: settings.audioInput, output: settings.audioOutput, ticker: ticker) { error, side in
            let variable = side == .input ? settings.inputVariable : settings.outputVariable
            Diagnostics.warn((variable.map { "\($0): " } ?? "") + "\(error)")
        }
        backend.attach(audio)
        core = SystemCore(settings, backend: backend, run: run, audio: audio)
        core.system = self
        box.set(self)
    }

    private final class WeakBox: Sendable {
        private struct Reference { weak var system: CallSystem? }

        private let reference = Locked(Reference())

        var system: CallSystem? { reference.withLock { $0.system } }

        func set(_ system: CallSystem) {
            reference.withLock { $0.system = system }
        }
    }

    // MARK: The current system

    @TaskLocal static var taskCurrent: CallSystem?

    /// Runs a part of an app on this device: its providers, controllers and observers are this system's.
    ///
    /// So are those that are made in callbacks of them.
    ///
    /// - Parameter body: The closure to run.
    /// - Returns: The result of the closure.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$taskCurrent.withValue(self, operation: body)
    }

    // MARK: Warnings

    /// The latest hundred warnings, which were written to standard error as well, in order.
    ///
    /// They say what an iPhone would not have forgiven the app, and why there is no session at the hub.
    public var warnings: [String] { warningList.withLock { $0 } }

    /// Gives a warning, unless it is the same as the one before.
    ///
    /// - Parameter sentence: The warning.
    package func warn(_ sentence: String) {
        let isNew = warningList.withLock { list in
            guard list.last != sentence else { return false }
            list = list.suffix(99) + [sentence]
            return true
        }
        if isNew { Diagnostics.warn(sentence) }
    }

    // MARK: The core

    /// Has the core do something after what is queued, never before this method has returned.
    func post(_ work: @escaping @Sendable (SystemCore) -> Void) {
        activity.begin()
        queue.async { [self] in
            work(core)
            activity.end()
        }
    }

    /// Asks the core, after what is queued; must not be used on the core's queue.
    func read<Result: Sendable>(_ body: @Sendable (SystemCore) -> Result) -> Result {
        queue.sync { body(core) }
    }
}
