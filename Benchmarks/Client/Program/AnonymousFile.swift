package import BenchmarkSupport
import CLinux
import Glibc

/// A file without a name in any folder, which a program started from here can open by `path`; it goes away with this.
package final class AnonymousFile {
    private let descriptor: CInt

    /// A file that holds that text.
    package init(_ text: String) throws(BenchmarkError) {
        descriptor = hub_linux_anonymous_file("file")
        let bytes = Array(text.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .system("a file in memory")
        }
    }

    deinit {
        close(descriptor)
    }

    /// This process's name for it, which its children may use too.
    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
