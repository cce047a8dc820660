import CCurl
import Foundation

/// The state that an ACME client's thread shares with others.
final class ACMEMailbox: @unchecked Sendable {
    private enum Phase {
        case starting
        case running(UnsafeMutableRawPointer)
        case ended
    }

    private let condition = NSCondition()
    private var phase = Phase.starting
    private var stopping = false
    private var current = ACMEClient.Status()

    /// Indicates that the thread is to end.
    var isStopped: Bool { condition.withLock { stopping } }

    /// The state of the certificate.
    var status: ACMEClient.Status { condition.withLock { current } }

    /// Changes the state of the certificate.
    func update(_ change: (inout ACMEClient.Status) -> Void) { condition.withLock { change(&current) } }

    /// Ends the wait that the thread is in, or the next one.
    ///
    /// `curl_multi_wakeup` is the one function of the library that any thread may call.
    func wake() {
        condition.withLock {
            if case .running(let multi) = phase { curl_multi_wakeup(multi) }
        }
    }

    /// Stops the thread, and waits for its end.
    func stop() {
        condition.withLock {
            stopping = true
            if case .running(let multi) = phase { curl_multi_wakeup(multi) }
            while true {
                if case .ended = phase { return }
                condition.wait()
            }
        }
    }

    /// Notes that libcurl's handle can be woken.
    func began(_ multi: UnsafeMutableRawPointer) { condition.withLock { phase = .running(multi) } }

    /// Notes that the thread is over, and its handle about to be freed.
    func ended() {
        condition.withLock {
            phase = .ended
            condition.broadcast()
        }
    }
}
