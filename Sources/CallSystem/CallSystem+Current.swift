import Dispatch
import Foundation

// The system of an app that names none.
extension CallSystem {
    private static let installed = Locked<CallSystem?>(nil)

    /// The system of the app that is running: that of ``run(_:)``, or else the one of this process.
    public static var current: CallSystem { taskCurrent ?? shared }

    /// The system of this process.
    ///
    /// That of ``install(_:)``, or else by environment the hub of `CALLHUB_URL` with the account `CALLHUB_ACCOUNT`, the
    /// token in the file `CALLHUB_TOKEN_FILE`, the device `CALLHUB_DEVICE` and the machine `CALLHUB_MACHINE`, or else a
    /// simulated hub in real time, with its built-in parties. `CALLHUB_AUDIO_IN` and `CALLHUB_AUDIO_OUT` name
    /// microphone and receiver. `CALLHUB_ANSWER` answers calls: `never`, `decline`, or as in `after:2s`.
    public static var shared: CallSystem {
        installed.withLock { installed in
            if let installed { return installed }
            let system = fromEnvironment(ProcessInfo.processInfo.environment)
            installed = system
            return system
        }
    }

    /// Makes a system the one of this process, for apps that are made later.
    ///
    /// - Parameter system: The system; nil: the default one, made anew.
    public static func install(_ system: CallSystem?) {
        installed.withLock { $0 = system }
    }

    /// Ends the session of a program that ends by `exit`, so that its calls end at once.
    ///
    /// Else they would end when the hub gives the session up.
    private static func closeAtExit() {
        guard let system = installed.withLock({ $0 }) else { return }
        let isClosed = DispatchSemaphore(value: 0)
        Task.detached {
            await system.close()
            isClosed.signal()
        }
        _ = isClosed.wait(timeout: .now() + .milliseconds(exitMilliseconds))
    }

    /// The time that a program waits at its end for the end of its session, in milliseconds.
    ///
    /// Longer: calls end at once over slow networks, too; shorter: programs end sooner if the hub does not answer.
    private static let exitMilliseconds = 500

    /// Makes the system that an environment describes.
    static func fromEnvironment(_ environment: [String: String]) -> CallSystem {
        let settings = CallSystemSettings(environment: environment) { Diagnostics.warn($0) }
        let access = HubAccess(environment: environment) { Diagnostics.warn($0) }
        if let access {
            atexit { CallSystem.closeAtExit() }
            return CallSystem(access, settings: settings)
        }
        do {
            return try SimulatedHub(pace: .realTime).device("me", settings: settings)
        } catch {
            Diagnostics.warn("There is no simulated hub: \(error)")
            return CallSystem(HubAccess(url: ""))
        }
    }
}
