import CallAudio
import Dispatch
public import Foundation
import HubEngine
package import HubServer
import HubSimulator
import HubWire

/// A hub in this process, without sockets, whose time is virtual: it passes when a test advances it.
///
/// Its devices are the systems of apps (``device(_:named:settings:)``) and phones without an app
/// (``phone(_:named:)``). The hub is the real one, with all its rules, deadlines and built-in parties (`echo`, `tone`,
/// `music`).
public final class SimulatedHub: Sendable {
    /// The ways in which the time of a simulated hub passes.
    public enum Pace: Hashable, Sendable {
        /// When ``SimulatedHub/advance(by:)`` is called, and as far.
        case virtual
        /// As the machine's.
        case realTime
    }

    private let pace: Pace
    private let queue: DispatchQueue
    private let activity = ActivityCounter()
    // Used on its queue alone.
    nonisolated(unsafe) private let core: SimulatedHubCore
    private let cuts = Locked<[ObjectIdentifier: @Sendable (Bool) -> Void]>([:])

    /// Creates and starts a hub.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers of the hub.
    ///   - pace: The way in which its time passes.
    /// - Throws: An error if the sound library of the built-in parties fails.
    public convenience init(seed: UInt64 = 1, pace: Pace = .virtual) throws {
        try self.init(seed: seed, pace: pace) { _ in }
    }

    /// Creates and starts a hub with other settings.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers of the hub.
    ///   - pace: The way in which its time passes.
    ///   - configure: The closure that changes its settings.
    /// - Throws: An error if the sound library of the built-in parties fails.
    package init(seed: UInt64 = 1, pace: Pace = .virtual, configure: (inout HubSettings) -> Void) throws {
        self.pace = pace
        queue = DispatchQueue(label: "SimulatedHub")
        var settings = HubSettings()
        settings.log.level = .error
        // No time passes while tests call: limits of rates would be reached at once.
        settings.messagesPerSecond = 1_000_000
        settings.callsToAccountPerSecond = 1_000_000
        settings.callsByAccountPerMinute = 1_000_000
        settings.causedMessagesPerSecond = 1_000_000
        settings.causedBytesPerSecond = 1 << 30
        configure(&settings)
        core = try SimulatedHubCore(
            settings,
            seed: seed,
            start: pace == .virtual ? VirtualHub.start : Instant(Date()),
            pace: pace,
            queue: queue,
            activity: activity
        )
    }

    /// The time of the hub.
    public var now: Date { queue.sync { core.now.date } }

    // MARK: Devices

    /// Creates a device for an app, whose session opens with the app's first provider.
    ///
    /// - Parameters:
    ///   - account: The account, and the value of its generic handle.
    ///   - name: The name of the device, for an account with several ones.
    ///   - settings: The settings of the device's system.
    /// - Returns: The system of the device.
    public func device(
        _ account: String,
        named name: String = "phone",
        settings: CallSystemSettings = CallSystemSettings()
    ) -> CallSystem {
        makeSystem(account, name, settings, .manual)
    }

    /// Creates a phone without an app, which is signed in at once and fulfils each action of its user.
    ///
    /// - Parameters:
    ///   - account: The account, and the value of its generic handle.
    ///   - name: The name of the device, for an account with several ones.
    ///   - settings: The settings of the phone, such as its microphone.
    /// - Returns: The screen of the phone.
    public func phone(
        _ account: String,
        named name: String = "phone",
        settings: CallSystemSettings = CallSystemSettings()
    ) -> CallScreen {
        let system = makeSystem(account, name, settings, .automatic)
        system.post { $0.openSession() }
        return system.user
    }

    private func makeSystem(
        _ account: String,
        _ name: String,
        _ settings: CallSystemSettings,
        _ fulfillment: Fulfillment
    ) -> CallSystem {
        var signIn = SessionOpenRequest(account: account)
        signIn.device = SessionOpenRequest.Device(id: name, name: name)
        signIn.fulfillment = fulfillment
        signIn.executesTransactions = fulfillment == .manual
        if settings.audioOutput != .none { signIn.audioDelivery = .streams }
        signIn.client = SessionOpenRequest.Program(name: "CallSystem")
        // Made here and used on the hub's queue alone.
        nonisolated(unsafe) let connection = SimulatedConnection(core, signIn)
        let ticker: any FrameTicker =
            pace == .virtual ? HubTimeTicker(core, queue: queue, activity: activity) : ThreadTicker()
        let system = CallSystem(settings, backend: connection, queue: queue, activity: activity, ticker: ticker)
        cuts.withLock { $0[ObjectIdentifier(system)] = { connection.setCut($0) } }
        return system
    }

    // MARK: Time and faults

    /// Waits until all requests are answered, and the apps have returned from all callbacks.
    public func settle() async {
        await activity.settle()
    }

    /// Lets time pass; deadlines on the way occur in order, each at its time, with the apps' reactions to them.
    ///
    /// - Parameter duration: The time; a hub in real time ignores it.
    public func advance(by duration: Duration) async {
        await settle()
        let target = await onQueue { $0.now + duration }
        while await !onQueue({ $0.advance(towards: target) }) { await settle() }
        await settle()
    }

    /// Cuts a device's link, so that the hub and the device lose each other, or restores it.
    ///
    /// - Parameters:
    ///   - system: A device of this hub.
    ///   - isCut: True to cut the link.
    public func cutLink(of system: CallSystem, _ isCut: Bool = true) async {
        guard let cut = cuts.withLock({ $0[ObjectIdentifier(system)] }) else { return }
        await onQueue { _ in cut(isCut) }
        await settle()
    }

    /// Kills the hub and starts it again: all calls are gone, and the devices reconnect.
    public func restart() async {
        await onQueue { $0.restart() }
        await settle()
    }

    private func onQueue<Result: Sendable>(
        _ body: @escaping @Sendable (SimulatedHubCore) -> Result
    ) async -> Result {
        await withCheckedContinuation { done in
            activity.begin()
            queue.async { [self] in
                done.resume(returning: body(core))
                activity.end()
            }
        }
    }
}
