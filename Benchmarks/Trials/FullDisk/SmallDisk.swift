import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// A disk of a few megabytes: a tmpfs in a mount namespace of its own, which goes away with its last process.
///
/// Who is not in the namespace sees an empty folder; `outside` leads there all the same.
final class SmallDisk {
    /// The disk, for who is in the namespace.
    let path: String
    /// A folder on the machine's own disk, which all see.
    let folder: TemporaryFolder
    /// Keeps the namespace while no hub runs.
    private let holder: ChildProcess

    /// Makes it.
    init(megabytes: Int) throws(BenchmarkError) {
        guard geteuid() == 0 else {
            throw BenchmarkError("a small disk needs root; run it as root, or by sudo")
        }
        folder = try TemporaryFolder()
        path = folder.path + "/disk"
        guard mkdir(path, 0o700) == 0 else { throw .system("a folder for the disk") }
        let script = #"mount -t tmpfs -o mode=700,size="$1"m none "$0" && echo mounted && exec sleep 3600"#
        holder = try ChildProcess(
            path: "/usr/bin/unshare",
            arguments: ["--mount", "sh", "-c", script, path, String(megabytes)]
        )
        for _ in 0..<500 where !holder.printed.contains("mounted") {
            guard !holder.hasEnded else { throw BenchmarkError("a small disk cannot be had:\(holder.lastWords)") }
            usleep(10_000)
        }
    }

    /// The words in front of a command that is to see the disk.
    var inFront: [String] { ["/usr/bin/nsenter", "--mount=/proc/\(holder.id)/ns/mnt", "--"] }

    /// Where a file of the disk is for who is not in the namespace.
    func outside(_ name: String) -> String { "/proc/\(holder.id)/root\(path)/\(name)" }

    /// Takes all the room that there is; returns how many bytes that was.
    @discardableResult
    func fill() throws(BenchmarkError) -> Int {
        let file = open(outside("filler"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system("a file that fills the disk") }
        defer { close(file) }
        var written = 0
        var piece = [UInt8](repeating: 0, count: 65_536)
        while !piece.isEmpty {
            let count = write(file, piece, piece.count)
            if count > 0 {
                written += count
            } else {
                guard errno == ENOSPC else { throw .system("filling the disk") }
                // The last bytes, too.
                piece.removeLast((piece.count + 1) / 2)
            }
        }
        return written
    }

    /// Gives the room back.
    func makeRoom() { unlink(outside("filler")) }
}
