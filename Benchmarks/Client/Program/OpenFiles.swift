package import BenchmarkSupport
import Glibc

/// Raises this process's limit on open files to `count`, which the programs that it starts inherit.
package func allowOpenFiles(_ count: Int) throws(BenchmarkError) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard limit.rlim_cur < count else {
        return
    }
    limit.rlim_cur = rlim_t(count)
    guard limit.rlim_max >= count, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        throw BenchmarkError("\(count) open files are needed and \(limit.rlim_max) allowed; see `ulimit -Hn`")
    }
}
