import Dispatch
import Foundation

/// Signals as something to wait for: SIGINT, SIGTERM and SIGHUP (a terminal that is closed) come here instead of ending the process.
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
}
