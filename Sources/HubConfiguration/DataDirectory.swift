import Foundation
import HubStore
import HubWire

/// The directory for persistent files: the node's name and the database.
package struct DataDirectory {
    /// The name of the database in the directory.
    package static let databaseName = "callhub.db"

    package let path: String

    /// Uses a directory, which is created if it is missing.
    ///
    /// - Throws: `ServeError` if it is a file, cannot be created, is not safe from other users, or is not writable.
    package init(making path: String) throws(ServeError) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
            throw ServeError("the data directory \(path) is a file; remove the file, or name a directory by --data.")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ServeError("the data directory \(path) cannot be created; name one that this user may write.")
        }
        self.path = path
        removeOthersWritePermission()
        if let reason = TrustedOwners.hub.fault(ofFolder: path, called: "it") {
            throw ServeError("the data directory \(path) cannot be used: \(reason); name another by --data.")
        }
        try checkAccess()
    }

    /// Uses the default directory, created if it is missing; nil if the user has no home directory.
    package init?(defaultOf environment: [String: String]) throws(ServeError) {
        guard let path = Self.defaultPath(environment) else { return nil }
        try self.init(making: path)
    }

    /// The default path of the directory; nil if the user has no home directory.
    package static func defaultPath(_ environment: [String: String]) -> String? {
        let base = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? environment["HOME"].map { $0 + "/.local/share" }).map { $0 + "/callhub" }
    }

    /// Removes the write permission of other users, if the directory is this user's.
    private func removeOthersWritePermission() {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 != 0 else { return }
        chmod(path, status.st_mode & 0o7755)
    }

    private func checkAccess() throws(ServeError) {
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw ServeError("the data directory \(path) may not be written by this user; name another by --data.")
        }
    }

    /// The node's name, which is generated on first use and kept in the file `node`.
    package func nodeName() throws(ServeError) -> String {
        let file = path + "/node"
        if let name = try read(file) { return name }
        let name = "callhub-" + String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
        do {
            // If two hubs start at once, the name of the one that creates the file first counts.
            try Data((name + "\n").utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
            return name
        } catch {
            if let name = try read(file) { return name }
            throw ServeError("\(file) cannot be written: \(error.localizedDescription)")
        }
    }

    /// The name in the file; nil if there is no file.
    private func read(_ file: String) throws(ServeError) -> String? {
        if let reason = TrustedOwners.hub.fault(ofFile: file) {
            throw ServeError("\(reason); remove it, or name another data directory by --data.")
        }
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard NodeName.isValid(name) else {
            throw ServeError("\(file) holds \(quoted(name)); it must be \(NodeName.rule).")
        }
        return name
    }
}
