package import BenchmarkSupport
import CLinux
import Glibc

/// A file without a name in any folder, which a child process can open by `path`; it is deleted with this object.
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

    /// The path of the file, valid in this process and its children.
    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
