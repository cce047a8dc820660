import Dispatch
import HubEngine

extension CallSystem {
    /// Creates the system of an app at a hub; the session opens with the app's first provider.
    ///
    /// - Parameters:
    ///   - access: The hub and the credentials.
    ///   - settings: The settings of the system.
    public convenience init(_ access: HubAccess, settings: CallSystemSettings = CallSystemSettings()) {
        let queue = DispatchQueue(label: "CallSystem")
        self.init(
            settings,
            backend: HubBackend(access, queue: queue),
            queue: queue,
            activity: ActivityCounter()
        )
    }

    /// Breaks the connection to the hub, as a failing network would; for tests.
    package func breakConnection() {
        post { ($0.backend as? HubBackend)?.breakConnection() }
    }

    /// Ends the session at the hub, and with it the calls, and completes the file of what was heard.
    public func close() async {
        await withCheckedContinuation { done in
            post { core in
                core.audio.close()
                core.backend.close { done.resume() }
            }
        }
    }
}
