import BenchmarkSupport
import FoundationEssentials
import HubStore

/// A folder for databases, which `remove` deletes.
struct WorkFolder {
    private let path: String

    /// Creates the folder.
    init(in parent: String) throws(BenchmarkError) {
        path = "\(parent)/store-benchmark-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(path) cannot be made; name another folder by --folder: \(error)")
        }
    }

    /// Opens a new database in it.
    func store(_ name: String) throws(BenchmarkError) -> Store {
        do throws(StoreError) {
            return try Store(StoreSettings(database(name)))
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    /// Returns the path of a database's file.
    func database(_ name: String) -> String { "\(path)/\(name).db" }

    /// Returns the size of a database's file in bytes; 0 if there is no file.
    func bytes(_ name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database(name))
        return (attributes?[.size] as? Int) ?? 0
    }

    /// Deletes the folder with its files.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
