import BenchmarkSupport
import FoundationEssentials
import HubStore

/// A folder for databases, which is deleted in the end.
struct WorkFolder {
    private let path: String

    /// Makes it.
    init(in parent: String) throws(BenchmarkError) {
        path = "\(parent)/store-benchmark-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(path) cannot be made; name another folder by --folder: \(error)")
        }
    }

    /// A new database in it.
    func store(_ name: String) throws(BenchmarkError) -> Store {
        do throws(StoreFailure) {
            return try Store(StoreSettings(database(name)))
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    /// A database's file.
    func database(_ name: String) -> String { "\(path)/\(name).db" }

    /// How large a file is.
    func bytes(_ name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database(name))
        return (attributes?[.size] as? Int) ?? 0
    }

    /// Deletes it with all that is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
