import Dispatch
package import HubEngine
package import HubServer
package import HubSimulator

/// The hub as a run of a scenario uses it, on a thread of its own: no method is for the threads of an app.
extension SimulatedHub {
    /// The time of the hub; also on its queue, for observers of devices.
    package var instant: Instant {
        if DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(queue) { return core.now }
        return queue.sync { core.now }
    }

    /// Uses the hub of the simulation, and has its messages delivered.
    package func withHub<Result>(_ body: (VirtualHub) -> Result) -> Result {
        queue.sync {
            defer {
                core.checkInvariants()
                core.deliverLater()
            }
            return body(core.hub)
        }
    }

    /// Has the invariants of the hub's engine checked from now on, after each of its events.
    package func checkInvariants() {
        queue.sync { core.checksInvariants = true }
    }

    /// The sentences about violated invariants of the hub's engine, in the order in which they were violated.
    package var violations: [String] {
        queue.sync { core.violations.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key) }
    }

    /// Connects a client that is no device of an app.
    ///
    /// - Parameter receive: The receiver of the hub's messages, called on the hub's queue, in one order with the
    ///   events of observed devices.
    /// - Returns: The connection; nil: no hub runs.
    package func connect(receive: @escaping @Sendable (VirtualHubOutput) -> Void) -> ConnectionID? {
        queue.sync {
            defer { core.deliverLater() }
            return core.connect(ReceivingLink(receive))
        }
    }

    /// Ends a connection, without a close frame or with one.
    package func end(_ connection: ConnectionID, isClosed: Bool) {
        queue.sync { isClosed ? core.close(connection) : core.drop(connection) }
    }

    /// Cuts or restores the link of a device.
    package func setLink(of system: CallSystem, isCut: Bool) {
        guard let link = link(of: system) else { return }
        queue.sync { link.cut(isCut) }
    }

    /// Sends a message over the connection of a device, whose answer is an event for the device's observer alone.
    package func send(_ text: [UInt8], over system: CallSystem) {
        guard let link = link(of: system) else { return }
        queue.sync {
            if let connection = link.connection() { core.send(text, over: connection) }
        }
    }

    /// Lets time pass until a moment or the first event.
    package func advance(towards moment: Instant) {
        _ = queue.sync { core.advance(towards: moment) }
    }

    /// Waits until all requests are answered and the apps have returned from all callbacks.
    ///
    /// So have the tasks of the main actor that these have begun or continued, up to where they wait for time.
    package func waitUntilSettled() {
        while true {
            activity.waitUntilSettled()
            let count = activity.callbackCount
            guard waitedForCallbacks.withLock({ $0 }) != count else { return }
            for _ in 0..<Self.hops { Self.passTasks() }
            waitedForCallbacks.withLock { $0 = count }
        }
    }

    /// The number of times that an app's task may change between the main actor and other threads unnoticed.
    private static let hops = 2

    /// Waits until what was queued for the main actor and other threads has run.
    private static func passTasks() {
        let semaphore = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { semaphore.signal() }
        semaphore.wait()
        Task.detached {
            await MainActor.run {}
            semaphore.signal()
        }
        semaphore.wait()
    }
}

extension CallSystem {
    /// Runs a part of the app on the main actor; it counts as activity until it first waits.
    ///
    /// - Parameters:
    ///   - body: The part of the app; what it makes belongs to this device.
    ///   - then: The receiver of its result, called on the main actor.
    package func begin<Result: Sendable>(
        _ body: @escaping @MainActor @Sendable () async throws -> Result,
        then: @escaping @MainActor @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        activity.begin()
        activity.noteCallback()
        DispatchQueue.main.async { [self] in
            MainActor.assumeIsolated {
                run {
                    _ = Task.immediate { @MainActor in
                        do {
                            then(.success(try await body()))
                        } catch {
                            then(.failure(error))
                        }
                    }
                }
            }
            activity.end()
        }
    }

    /// Returns the app's UUID of a call, which may be another one than the hub's.
    package func appUUID(of call: CallUUID) -> CallUUID {
        read { core in core.calls.first { $0.uuid == call }?.appUUID ?? call }
    }
}

/// A client's end of a connection that passes everything on.
private final class ReceivingLink: SimulatedLink {
    private let pass: (VirtualHubOutput) -> Void

    init(_ pass: @escaping (VirtualHubOutput) -> Void) {
        self.pass = pass
    }

    func receive(_ message: VirtualHubOutput) {
        pass(message)
    }
}
