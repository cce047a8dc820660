import Dispatch
import Foundation

/// Signals as something to wait for: SIGINT, SIGTERM and SIGHUP come here instead of ending the process.
enum Signals {
    /// Calls `handler` on a queue of its own for each of the signals, from now to the end of the process.
    static func handle(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "signals")
        for number in numbers {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.resume()
            // The source is meant to live as long as the process.
            _ = Unmanaged.passRetained(source as AnyObject)
        }
    }

    /// Ends the process by a signal as if nobody had caught it, so that the shell sees what ended it.
    static func end(by number: Int32) {
        signal(number, SIG_DFL)
        // All threads block it by now: the source that it came from would get it again.
        var alone = sigset_t()
        sigemptyset(&alone)
        sigaddset(&alone, number)
        pthread_sigmask(SIG_UNBLOCK, &alone, nil)
        raise(number)
    }
}

/// The terminal that the process was started from, if it was from one.
///
/// SIGHUP says two things: "read your settings anew" to a service, "your terminal is closed" to a program in one.
struct ControllingTerminal: Sendable {
    private let wasThere = Self.isThere

    /// Whether there was one at the start and there is none now.
    var isGone: Bool { wasThere && !Self.isThere }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
