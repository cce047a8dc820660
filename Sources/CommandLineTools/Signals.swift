import Dispatch
import Foundation

/// Handles SIGINT, SIGTERM and other signals by a callback instead of their default action.
package enum Signals {
    /// Calls `handler` on a queue of its own for each of the signals from now on, in place of an earlier handler.
    package static func handle(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        for number in numbers { sources.handle(number, handler) }
    }

    /// Waits until a signal ends the process.
    package static func waitForEnd() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private static let sources = SignalSources()

    /// Ends the process by a signal's default action, so that the shell sees the signal as the cause.
    package static func end(by number: Int32) {
        signal(number, SIG_DFL)
        // Unblocked on this thread alone: the dispatch source would receive it again, since all threads block it by
        // now.
        var alone = sigset_t()
        sigemptyset(&alone)
        sigaddset(&alone, number)
        pthread_sigmask(SIG_UNBLOCK, &alone, nil)
        raise(number)
    }
}

/// The dispatch sources of all handled signals, until the end of the process.
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
            // Waits until the source is registered: a signal before that would have its default action.
            let isTaken = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isTaken.signal() }
            sources[number] = source
            source.resume()
            isTaken.wait()
        }
    }
}

/// The terminal that the process was started from, if any.
///
/// SIGHUP means "reload" to a service, and "the terminal was closed" to a program in one.
package struct ControllingTerminal: Sendable {
    private let existedAtStart: Bool

    /// Looks for the terminal.
    package init() { existedAtStart = Self.exists }

    /// Indicates that there was a terminal at the start and there is none now.
    package var isGone: Bool { existedAtStart && !Self.exists }

    private static var exists: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
