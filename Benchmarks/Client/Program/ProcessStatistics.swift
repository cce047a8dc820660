package import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The figures that the kernel keeps of a process.
package struct ProcessStatistics {
    /// The process ID; 0 is this process.
    package var id: CInt

    /// The figures of that process.
    package init(id: CInt) {
        self.id = id
    }

    /// CPU time of all its threads, ended ones too, in user and kernel mode, in nanoseconds: its own CPU clock.
    package func cpuNanoseconds() throws(BenchmarkError) -> UInt64 {
        var clock = clockid_t()
        guard clock_getcpuclockid(id, &clock) == 0, let time = nanoseconds(of: clock) else {
            throw BenchmarkError("the CPU clock of process \(id) cannot be read: has it ended?")
        }
        return time
    }

    /// Memory that is in RAM (proc(5): the second number of statm, in pages).
    package func residentBytes() throws(BenchmarkError) -> Int {
        guard let pages = try file("statm").split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkError("the memory of process \(id) cannot be read")
        }
        return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
    }

    /// CPU time in user and in kernel mode, in nanoseconds, to a hundredth of a second.
    ///
    /// It is read from fields 14 and 15 of stat (proc(5)).
    package func modeNanoseconds() throws(BenchmarkError) -> (user: UInt64, system: UInt64) {
        // The second field is the program's name in parentheses, which may hold anything.
        let text = try file("stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = UInt64(fields[12]), let system = UInt64(fields[13]) else {
            throw BenchmarkError("the CPU times of process \(id) cannot be read")
        }
        let tick = 1_000_000_000 / UInt64(sysconf(CInt(_SC_CLK_TCK)))
        return (user * tick, system * tick)
    }

    /// The IDs of its threads, in ascending order.
    package func threads() throws(BenchmarkError) -> [CInt] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/task") else {
            throw BenchmarkError("the threads of process \(id) cannot be read: has it ended?")
        }
        return names.compactMap { CInt($0) }.sorted()
    }

    /// CPU time of one of its threads, in nanoseconds: the first number of schedstat.
    package func cpuNanoseconds(ofThread thread: CInt) throws(BenchmarkError) -> UInt64 {
        guard let time = UInt64(try file("task/\(thread)/schedstat").prefix { $0.isNumber }) else {
            throw BenchmarkError("the CPU time of thread \(thread) cannot be read")
        }
        return time
    }

    /// CPU time of its threads of that name, in nanoseconds.
    package func cpuNanoseconds(ofThreadsNamed name: String) throws(BenchmarkError) -> UInt64 {
        var sum: UInt64 = 0
        for thread in try threads() where try file("task/\(thread)/comm").dropLast() == name {
            sum += try cpuNanoseconds(ofThread: thread)
        }
        return sum
    }

    private var folder: String { "/proc/\(id == 0 ? "self" : "\(id)")" }

    private func file(_ name: String) throws(BenchmarkError) -> String {
        guard let text = try? String(contentsOf: URL(filePath: "\(folder)/\(name)"), encoding: .utf8) else {
            throw BenchmarkError("\(folder)/\(name) cannot be read: has the process ended?")
        }
        return text
    }
}
