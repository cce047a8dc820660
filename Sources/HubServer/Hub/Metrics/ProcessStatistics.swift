import CUV  // Which module has timeval depends on what the compiler has loaded before.
import Foundation

/// The kernel's statistics of this process, named as in the Prometheus client libraries.
struct ProcessStatistics: Sendable {
    /// The resident memory in bytes.
    let residentBytes: Int
    /// The virtual memory in bytes.
    let virtualBytes: Int
    /// The CPU time of all threads, user and system, in seconds.
    let cpuSeconds: Double
    /// The limit of open file descriptors.
    let maximumDescriptors: UInt64
    /// The start time in seconds since 1970.
    let startTime: Double

    /// Reads the current statistics.
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

    /// Read in ticks since boot (proc(5), the 22nd field of stat); the name in front may contain spaces.
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

/// The number of open file descriptors, counted on another thread.
///
/// To list ten thousand takes the kernel milliseconds, which would delay the audio of all calls.
final class DescriptorCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = DescriptorCount.open()
    private var isCounting = false

    /// The last count; reading it starts a new count for the next reader.
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

    /// Counts the descriptors, without the one that lists them.
    private static func open() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) { if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 } }
        return max(0, count - 1)
    }
}
