import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The folder of a trial hub's data and configuration, deleted with this object.
final class TrialFolder {
    /// The path of the folder.
    let path: String

    /// Creates a new, empty folder.
    init() throws(BenchmarkError) {
        let name = "callhub-trial-\(getpid())-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(path) cannot be made: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in it.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and returns its path.
    func write(_ text: String, to name: String) throws(BenchmarkError) -> String {
        let file = self(name)
        do {
            try Data(text.utf8).write(to: URL(filePath: file))
        } catch {
            throw BenchmarkError("\(file) cannot be written: \(error)")
        }
        return file
    }
}
