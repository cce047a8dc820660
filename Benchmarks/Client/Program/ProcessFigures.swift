package import BenchmarkSupport
import FoundationEssentials
import Glibc

/// What the system knows of a process.
package struct ProcessFigures {
    /// The process; 0 is this one.
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
        let path = "/proc/\(id == 0 ? "self" : "\(id)")/statm"
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else {
            throw BenchmarkError("\(path) cannot be read: has the process ended?")
        }
        return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
    }
}
