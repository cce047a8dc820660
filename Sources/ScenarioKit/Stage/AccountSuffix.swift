import Foundation

/// What stands behind the names of a run's accounts, so that runs at one hub do not meet.
enum AccountSuffix {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var last = UInt32.random(in: 0...0xFFFFFF)

    /// Another one each time, `-3f01a2`; other programs at the same hub are likely to have others.
    static func next() -> String {
        lock.withLock {
            last = (last &+ 1) & 0xFFFFFF
            let digits = String(last, radix: 16)
            return "-" + String(repeating: "0", count: 6 - digits.count) + digits
        }
    }
}
