import CUV  // Which module has timeval depends on what the compiler has loaded before.
import Foundation

/// What the kernel says of this process, under the names that Prometheus has for it.
struct ProcessFigures: Sendable {
    /// Bytes in memory.
    let residentBytes: Int
    /// Bytes of addresses.
    let virtualBytes: Int
    /// User's and kernel's time, all threads.
    let cpuSeconds: Double
    /// Descriptors that may be open.
    let maximumDescriptors: UInt64
    /// Seconds since 1970.
    let startTime: Double

    /// As of now.
    init() {
        let pages = Self.words(of: "/proc/self/statm").compactMap { Int($0) }
        let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
        virtualBytes = (pages.first ?? 0) * pageSize
        residentBytes = (pages.dropFirst().first ?? 0) * pageSize
        var usage = rusage()
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        cpuSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        var limit = rlimit()
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        maximumDescriptors = UInt64(limit.rlim_cur)
        startTime = Self.start
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    /// In ticks since the machine was started (proc(5), the 22nd field of stat); the name in it may hold spaces.
    private static let start: Double = {
        let stat = text(of: "/proc/self/stat")
        let afterName = stat.lastIndex(of: ")").map { stat[stat.index(after: $0)...] } ?? ""
        let ticks = afterName.split(separator: " ").dropFirst(19).first.flatMap { Double($0) } ?? 0
        let boot = text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        let bootTime = boot.flatMap { Double($0.dropFirst(6)) } ?? 0
        return bootTime + ticks / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
    }()

    private static func words(of path: String) -> [Substring] {
        text(of: path).split { $0.isWhitespace }
    }

    private static func text(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        var text: [UInt8] = []
        while true {
            let count = fread(&bytes, 1, bytes.count, file)
            guard count > 0, text.count < 1 << 20 else { return String(decoding: text, as: UTF8.self) }
            text += bytes.prefix(count)
        }
    }
}

/// How many descriptors are open: counted by another thread, since to list ten thousand takes the kernel milliseconds, which
/// everybody's audio would wait for.
final class DescriptorCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = DescriptorCount.open()
    private var isCounting = false

    /// The last count; a new one is begun, for who asks next.
    var latest: Int {
        let (count, isToBegin) = lock.withLock {
            defer { isCounting = true }
            return (self.count, !isCounting)
        }
        if isToBegin {
            DispatchQueue.global(qos: .utility).async { [self] in
                let count = Self.open()
                lock.withLock {
                    self.count = count
                    isCounting = false
                }
            }
        }
        return count
    }

    /// Without the one that lists them.
    private static func open() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) { if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 } }
        return max(0, count - 1)
    }
}
