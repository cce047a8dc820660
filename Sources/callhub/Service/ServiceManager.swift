import CSystemd

/// systemd, where it has started us and wants to know how we are (sd_notify(3)); elsewhere nobody listens.
enum ServiceManager {
    /// The hub listens: what waits for this service may be started.
    static func tellReady(status: String) { tell("READY=1\nSTATUS=\(status)") }

    /// The hub is about to stop, which takes so long at most.
    static func tellStopping(within limit: Duration) {
        let (seconds, _) = limit.components
        let microseconds = (max(0, seconds) + margin) &* 1_000_000
        let status = "Draining: calls have \(max(0, seconds)) s to end."
        tell("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(microseconds)\nSTATUS=\(status)")
    }

    /// Runs something that systemd is told is a reload.
    static func tellReload(_ reload: () -> Void) {
        tell("RELOADING=1\nSTATUS=Reloading.")
        reload()
        tell("READY=1\nSTATUS=Reloaded.")
    }

    /// The hub still turns.
    static func tellAlive() { tell("WATCHDOG=1") }

    /// How often `tellAlive` is expected; nil: nobody expects it.
    static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    private static func tell(_ state: String) {
        // What comes of it does not matter: a service manager that does not listen is no reason to stop.
        _ = sd_notify(0, state)
    }

    /// Seconds more than the calls have: for the last words.
    private static let margin: Int64 = 10
}
