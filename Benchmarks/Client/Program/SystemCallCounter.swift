package import BenchmarkSupport
import CLinux
import FoundationEssentials
import Glibc

/// Counts the system calls of a process while it works at its own pace.
///
/// The kernel counts them itself (perf_event_open on the tracepoints of syscalls), so that the process is not stopped
/// at each as under strace. It needs the right to trace: root, as a rule.
package final class SystemCallCounter {
    /// The calls that a relay may make often; all others are counted together.
    private static let names = [
        "recvfrom", "recvmsg", "read", "readv", "sendto", "sendmsg", "write", "writev", "epoll_wait", "epoll_pwait",
        "epoll_pwait2", "epoll_ctl", "poll", "ppoll", "futex", "ioctl", "getsockopt", "setsockopt", "io_uring_enter",
        "timerfd_settime", "clock_nanosleep",
    ]
    private static let folders = ["/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"]

    private var counters: [(name: String, descriptor: CInt)] = []

    /// Counts from now on, in all threads that the process has.
    package init(of process: CInt) throws(BenchmarkError) {
        for thread in try ProcessStatistics(id: process).threads() {
            try add("all", "raw_syscalls/sys_enter", thread)
            for name in Self.names { try add(name, "syscalls/sys_enter_\(name)", thread) }
        }
    }

    deinit {
        for counter in counters { close(counter.descriptor) }
    }

    /// The number of calls of each kind so far; those without a counter of their own are under "others".
    package func counts() -> [String: Int] {
        var counts: [String: Int] = [:]
        for counter in counters {
            var value: UInt64 = 0
            guard read(counter.descriptor, &value, 8) == 8 else { continue }
            counts[counter.name, default: 0] += Int(clamping: value)
        }
        let all = counts.removeValue(forKey: "all") ?? 0
        let named = counts.values.reduce(0, +)
        counts["others"] = max(0, all - named)
        return counts.filter { $0.value > 0 }
    }

    private func add(_ name: String, _ event: String, _ thread: CInt) throws(BenchmarkError) {
        let paths = Self.folders.map { "\($0)/\(event)/id" }
        guard let text = paths.lazy.compactMap({ try? String(contentsOfFile: $0, encoding: .utf8) }).first,
            let id = UInt64(text.prefix { $0.isNumber })
        else {
            guard name != "all" else {
                throw BenchmarkError("system calls cannot be counted: \(paths[0]) cannot be read; try as root")
            }
            return
        }
        let descriptor = hub_linux_count_tracepoint(id, thread)
        guard descriptor >= 0 else { throw .system("counting system calls (perf_event_open)") }
        counters.append((name, descriptor))
    }
}
