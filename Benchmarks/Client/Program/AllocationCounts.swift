package import BenchmarkSupport
import CLinux
import Glibc

/// The heap allocations of a child, counted by the library in `Benchmarks/AllocationCounter`.
///
/// The counts lie in a page that the child and the benchmark both map.
package final class AllocationCounts {
    private static let length = 4096

    private let library: String
    private let file: CInt
    private let page: UnsafeMutableRawPointer

    /// A page for a child that loads the counter at `library`.
    package init(library: String) throws(BenchmarkError) {
        self.library = library
        file = hub_linux_anonymous_file("allocations")
        guard file >= 0, ftruncate(file, Self.length) == 0,
            let page = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), page != MAP_FAILED
        else {
            throw .system("a page for the allocation counts")
        }
        self.page = page
    }

    deinit {
        munmap(page, Self.length)
        close(file)
    }

    /// The environment variables that make the child count; it opens the page through this process's `/proc` entry.
    package var environment: [String: String] {
        ["LD_PRELOAD": library, "CALLHUB_ALLOCATION_COUNTS": "/proc/\(getpid())/fd/\(file)"]
    }

    /// Allocations so far; 0 means that the child did not load the counter, since every program allocates at its start.
    package var allocations: UInt64 {
        page.load(as: UInt64.self)
    }
}
