import Dispatch
import Foundation

/// Signals as something to wait for: SIGINT, SIGTERM and SIGHUP come here instead of ending the process.
enum Signals {
    /// Calls `handler` on a queue of its own for each of the signals, from now on, in place of who had them before.
    static func handle(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        for number in numbers { sources.handle(number, handler) }
    }

    private static let sources = SignalSources()

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

/// A source for each signal that is handled, to the end of the process.
private final class SignalSources: @unchecked Sendable {
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "signals")
    private var handlers: [Int32: @Sendable (Int32) -> Void] = [:]
    private var sources: [Int32: any DispatchSourceSignal] = [:]

    func handle(_ number: Int32, _ handler: @escaping @Sendable (Int32) -> Void) {
        lock.withLock {
            handlers[number] = handler
            guard sources[number] == nil else { return }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in lock.withLock { handlers[number] }?(number) }
            // Until the source has taken the signal over, it does what it did before: one that came in between would be lost.
            let isTaken = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isTaken.signal() }
            sources[number] = source
            source.resume()
            isTaken.wait()
        }
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
