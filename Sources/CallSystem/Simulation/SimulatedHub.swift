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

    /// The key by which code knows that it runs on the queue.
    static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

    private let pace: Pace
    let queue: DispatchQueue
    let activity = ActivityCounter()
    // Used on its queue alone.
    nonisolated(unsafe) let core: SimulatedHubCore
    /// The number of callbacks whose tasks a run has waited for.
    let waitedForCallbacks = Locked(0)
    private let links = Locked<[ObjectIdentifier: DeviceLink]>([:])

    /// The link of a device, used on the hub's queue alone.
    struct DeviceLink: Sendable {
        /// Cuts or restores it.
        let cut: @Sendable (Bool) -> Void
        /// The present connection; nil: there is none.
        let connection: @Sendable () -> ConnectionID?
    }

    /// Creates and starts a hub.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers of the hub.
    ///   - pace: The way in which its time passes.
    /// - Throws: An error if the sound library of the built-in parties fails.
    public convenience init(seed: UInt64 = 1, pace: Pace = .virtual) throws {
        var settings = HubSettings()
        settings.log.level = .error
        try self.init(settings, seed: seed, pace: pace)
    }

    /// Creates and starts a hub whose limits of rates are a test's own.
    ///
    /// - Parameter configure: The closure that sets them.
    /// - Throws: An error if the sound library of the built-in parties fails.
    package convenience init(configure: (inout HubSettings) -> Void) throws {
        var settings = HubSettings()
        settings.log.level = .error
        try self.init(settings, seed: 1, configure: configure)
    }

    /// Creates and starts a hub with settings, except for the limits of rates.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - seed: The seed of all random numbers of the hub.
    ///   - pace: The way in which its time passes.
    ///   - configure: The closure that changes the limits of rates.
    /// - Throws: An error if the sound library of the built-in parties fails.
    package init(
        _ settings: HubSettings,
        seed: UInt64,
        pace: Pace = .virtual,
        configure: (inout HubSettings) -> Void = { _ in }
    ) throws {
        self.pace = pace
        queue = DispatchQueue(label: "SimulatedHub")
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(queue))
        var settings = settings
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
    ///   - machine: The machine that several devices are on, as several apps are on an iPhone: at most one call of
    ///     theirs is active. Nil: the device is alone.
    ///   - settings: The settings of the device's system.
    /// - Returns: The system of the device.
    public func device(
        _ account: String,
        named name: String = "phone",
        on machine: String? = nil,
        settings: CallSystemSettings = CallSystemSettings()
    ) -> CallSystem {
        makeSystem(account, name, on: machine, settings, .manual)
    }

    /// Creates a device for an app, whose connection is observed.
    ///
    /// - Parameters:
    ///   - account: The account, and the value of its generic handle.
    ///   - settings: The settings of the device's system.
    ///   - observe: The receiver of the connection's events, called on the hub's queue in their order.
    /// - Returns: The system of the device.
    package func device(
        _ account: String,
        settings: CallSystemSettings,
        observe: @escaping @Sendable (SimulatedLinkEvent) -> Void
    ) -> CallSystem {
        makeSystem(account, "phone", settings, .manual, observe)
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
        on machine: String? = nil,
        _ settings: CallSystemSettings,
        _ fulfillment: Fulfillment,
        _ observe: (@Sendable (SimulatedLinkEvent) -> Void)? = nil
    ) -> CallSystem {
        var signIn = SessionOpenRequest(account: account)
        signIn.device = SessionOpenRequest.Device(id: name, name: name, focus: machine)
        signIn.fulfillment = fulfillment
        if settings.audioOutput != .none { signIn.audioDelivery = .streams }
        signIn.client = SessionOpenRequest.Program(name: "CallSystem")
        // Made here and used on the hub's queue alone.
        nonisolated(unsafe) let connection = SimulatedConnection(core, signIn, observe: observe)
        let ticker: any FrameTicker =
            pace == .virtual ? HubTimeTicker(core, queue: queue, activity: activity) : ThreadTicker()
        let system = CallSystem(settings, backend: connection, queue: queue, activity: activity, ticker: ticker)
        let link = DeviceLink(cut: { connection.setCut($0) }, connection: { connection.connection })
        links.withLock { $0[ObjectIdentifier(system)] = link }
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

    /// Waits for a time of the hub, as an app may that is tested in virtual time.
    ///
    /// - Parameter duration: The time, which passes when a test advances it.
    public func sleep(for duration: Duration) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            activity.begin()
            queue.async { [self] in
                core.schedule(after: duration) { [activity] in
                    activity.noteCallback()
                    done.resume()
                }
                activity.end()
            }
        }
    }

    /// Cuts a device's link, so that the hub and the device lose each other, or restores it.
    ///
    /// - Parameters:
    ///   - system: A device of this hub.
    ///   - isCut: True to cut the link.
    public func cutLink(of system: CallSystem, _ isCut: Bool = true) async {
        guard let link = link(of: system) else { return }
        await onQueue { _ in link.cut(isCut) }
        await settle()
    }

    /// Returns the link of a device; nil: the device is none of this hub.
    func link(of system: CallSystem) -> DeviceLink? {
        links.withLock { $0[ObjectIdentifier(system)] }
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
