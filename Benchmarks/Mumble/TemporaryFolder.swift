import BenchmarkSupport
import FoundationEssentials
import Glibc

/// A folder in /tmp that is deleted with this object, and all that is in it.
final class TemporaryFolder {
    /// The path of the folder, without a slash at the end.
    let path: String

    /// Creates a folder in which every user may write: programs started by root may switch to another user.
    init() throws(BenchmarkError) {
        var template = Array("/tmp/callhub-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, chmod(template, 0o777) == 0 else { throw .system("a folder in /tmp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file into it, and returns its path.
    func write(_ text: String, to name: String) throws(BenchmarkError) -> String {
        let file = path + "/" + name
        do {
            try Data(text.utf8).write(to: URL(filePath: file))
        } catch {
            throw BenchmarkError("\(file) cannot be written: \(error)")
        }
        return file
    }
}
