import Dispatch
import HubServer

/// Tells systemd that the hub lives, twice in each of its intervals, but only when all loops have turned since.
///
/// A loop that hangs answers no more; then systemd ends the process and starts it anew (WatchdogSec=, Restart=).
final class Watchdog {
    private let timer: any DispatchSourceTimer

    /// A watchdog; nil where systemd expects none.
    init?(of server: HubServer) {
        guard let interval = ServiceManager.watchdogInterval else { return nil }
        let milliseconds = Int(interval / .milliseconds(2))
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "watchdog"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(max(1, milliseconds)))
        timer.setEventHandler { server.ping { ServiceManager.tellAlive() } }
        timer.resume()
    }

    deinit {
        timer.cancel()
    }
}
