import CLibWebSockets
import Foundation

/// The destination of libwebsockets' warnings and errors: a closure of the hub, never stderr.
///
/// The library has one log for the whole process, so this has too. Many of its "errors" are bad requests of clients;
/// log them at a low level.
enum LWSLog {
    /// Receives one line, without its end, on the thread that logs it.
    typealias Sink = @Sendable (_ isError: Bool, _ line: String) -> Void

    private final class Storage: @unchecked Sendable {
        let lock = NSLock()
        var sink: Sink?
    }

    private static let storage = Storage()

    /// Sets the receiver of lines; nil discards them.
    ///
    /// - Parameter sink: The receiver; called on loops' threads.
    static func forward(to sink: Sink?) {
        storage.lock.withLock { storage.sink = sink }
    }

    /// Silences the library's own output; done once for the process.
    static func install() {
        _ = installed
    }

    private static let installed: Void = {
        lws_set_log_level(LLL_ERR.asInt32 | LLL_WARN.asInt32) { level, line in
            guard let line else { return }
            LWSLog.emit(level, line)
        }
    }()

    private static func emit(_ level: Int32, _ line: UnsafePointer<CChar>) {
        guard let sink = storage.lock.withLock({ storage.sink }) else { return }
        let text = String(cString: line)
        sink(level & LLL_ERR.asInt32 != 0, text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}

extension BinaryInteger {
    /// The C enumerators of log levels arrive as Int or Int32, by compiler version.
    fileprivate var asInt32: Int32 { Int32(truncatingIfNeeded: self) }
}
