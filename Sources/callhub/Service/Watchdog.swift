import Dispatch
import HubServer

/// Sends systemd's watchdog notification twice in each interval, if all event loops have run since.
///
/// If a loop hangs, the notification is missing, and systemd restarts the process (WatchdogSec=, Restart=).
final class Watchdog {
    private let timer: any DispatchSourceTimer

    /// Starts the watchdog; nil if systemd expects no notification.
    init?(of server: HubServer) {
        guard let interval = ServiceManager.watchdogInterval else { return nil }
        let milliseconds = Int(interval / .milliseconds(2))
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "watchdog"))
        timer.schedule(deadline: .now(), repeating: .milliseconds(max(1, milliseconds)))
        timer.setEventHandler { server.ping { ServiceManager.sendKeepAlive() } }
        timer.resume()
    }

    deinit {
        timer.cancel()
    }
}
