import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// A disk of a few megabytes: a tmpfs in a mount namespace of its own, which ends with its last process.
///
/// Processes outside the namespace see an empty folder, but can reach the files by the path that `outside` returns.
final class SmallDisk {
    /// The mount point, inside the namespace.
    let path: String
    /// A folder on the machine's own disk, visible to all processes.
    let folder: TrialFolder
    /// The process that keeps the namespace while no hub runs.
    private let holder: ChildProcess

    /// Creates the namespace and mounts the disk in it, as root.
    init(megabytes: Int) throws(BenchmarkError) {
        guard geteuid() == 0 else {
            throw BenchmarkError("a small disk needs root; run it as root, or by sudo")
        }
        folder = try TrialFolder()
        path = folder.path + "/disk"
        guard mkdir(path, 0o700) == 0 else { throw .system("a folder for the disk") }
        let script = #"mount -t tmpfs -o mode=700,size="$1"m none "$0" && echo mounted && exec sleep 3600"#
        holder = try ChildProcess(
            path: "/usr/bin/unshare",
            arguments: ["--mount", "sh", "-c", script, path, String(megabytes)]
        )
        for _ in 0..<500 where !holder.printed.contains("mounted") {
            guard !holder.hasEnded else { throw BenchmarkError("a small disk cannot be had:\(holder.lastOutput)") }
            usleep(10_000)
        }
    }

    /// The command prefix that runs a program inside the namespace.
    var namespacePrefix: [String] { ["/usr/bin/nsenter", "--mount=/proc/\(holder.id)/ns/mnt", "--"] }

    /// Returns the path of a file of the disk for processes outside the namespace.
    func outside(_ name: String) -> String { "/proc/\(holder.id)/root\(path)/\(name)" }

    /// Fills all the room that is left, and returns the number of bytes written.
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
                // Smaller pieces fill the last bytes, too.
                piece.removeLast((piece.count + 1) / 2)
            }
        }
        return written
    }

    /// Deletes the file that fills the disk.
    func makeRoom() { unlink(outside("filler")) }
}
