import CSystemd
import Dispatch
import Synchronization

/// Notifies systemd of the hub's state (sd_notify(3)); does nothing if systemd has not started the process.
///
/// Notifications are sent in order on a queue of their own, since sd_notify blocks if systemd does not read.
enum ServiceManager {
    /// Notifies systemd that the hub listens, so that dependent services may be started.
    static func notifyReady(status: String) { notify("READY=1\nSTATUS=\(status)") }

    /// Notifies systemd that the hub is stopping, which takes at most `limit` and a margin.
    static func notifyStopping(within limit: Duration) {
        let (seconds, _) = limit.components
        let microseconds = (max(0, seconds) + margin) &* 1_000_000
        let status = "Draining: calls have \(max(0, seconds)) s to end."
        notify("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(microseconds)\nSTATUS=\(status)")
    }

    /// Runs a body, which systemd is notified of as a reload.
    static func notifyReload(_ reload: () -> Void) {
        notify("RELOADING=1\nSTATUS=Reloading.")
        reload()
        notify("READY=1\nSTATUS=Reloaded.")
    }

    /// Sends the watchdog's keep-alive, unless the one before is still queued.
    static func sendKeepAlive() {
        guard !isKeepAliveQueued.exchange(true, ordering: .relaxed) else { return }
        notify("WATCHDOG=1") { isKeepAliveQueued.store(false, ordering: .relaxed) }
    }

    /// The interval at which systemd expects `sendKeepAlive`; nil: it has no watchdog for this service.
    static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    private static func notify(_ state: String, then: @escaping @Sendable () -> Void = {}) {
        queue.async {
            // The result is ignored: a service manager that cannot be reached is no reason to stop.
            _ = sd_notify(0, state)
            then()
        }
    }

    private static let queue = DispatchQueue(label: "systemd")
    private static let isKeepAliveQueued = Atomic(false)

    /// The seconds added to the calls' time, for the shutdown itself.
    private static let margin: Int64 = 10
}
