public import Foundation

/// The output of a program, read by a thread of its own as it comes, and the continuations that wait for a line.
public final class PrintedText: @unchecked Sendable {
    private struct Waiter {
        let fits: @Sendable (Substring) -> Bool
        let then: CheckedContinuation<String?, Never>
    }

    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var lines: [String] = []
    /// The offset of the first line that is not complete.
    private var lineStart = 0
    private var isOver = false
    private var waiters: [Int: Waiter] = [:]
    private var lastNumber = 0

    /// Starts to read.
    ///
    /// - Parameter file: The reading end of a pipe.
    public init(_ file: FileHandle) {
        let thread = Thread { [weak self] in
            while true {
                let more = file.availableData
                self?.take(more)
                if more.isEmpty { return }
            }
        }
        thread.start()
    }

    /// All output so far.
    public var text: String { condition.withLock { String(decoding: bytes, as: UTF8.self) } }

    /// Waits for the end of the output, which may come late if the program has left a child running.
    func waitForEnd(seconds: Double) {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.withLock {
            while !isOver, condition.wait(until: limit) {}
        }
    }

    /// Waits for a line, old or new.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait.
    ///   - fits: Returns true for the line.
    /// - Returns: The line; nil if it has not come in time, or the output has ended without it.
    public func line(within limit: Duration, where fits: @escaping @Sendable (Substring) -> Bool) async -> String? {
        await withCheckedContinuation { continuation in
            let number: Int? = condition.withLock {
                let found = lines.first { fits($0[...]) }
                guard found == nil, !isOver else {
                    continuation.resume(returning: found)
                    return nil
                }
                lastNumber += 1
                waiters[lastNumber] = Waiter(fits: fits, then: continuation)
                return lastNumber
            }
            guard let number else { return }
            Task { [weak self] in
                try? await Task.sleep(for: limit)
                self?.answer(number, nil)
            }
        }
    }

    private func take(_ more: Data) {
        condition.withLock {
            bytes += more
            while let end = bytes[lineStart...].firstIndex(of: UInt8(ascii: "\n")) {
                note(String(decoding: bytes[lineStart..<end], as: UTF8.self))
                lineStart = end + 1
            }
            guard more.isEmpty else { return }
            if lineStart < bytes.count { note(String(decoding: bytes[lineStart...], as: UTF8.self)) }
            isOver = true
            for waiter in waiters.values { waiter.then.resume(returning: nil) }
            waiters = [:]
            condition.broadcast()
        }
    }

    private func note(_ line: String) {
        lines.append(line)
        for (number, waiter) in waiters where waiter.fits(line[...]) {
            waiters[number] = nil
            waiter.then.resume(returning: line)
        }
    }

    private func answer(_ number: Int, _ line: String?) {
        condition.withLock { waiters.removeValue(forKey: number)?.then.resume(returning: line) }
    }
}
