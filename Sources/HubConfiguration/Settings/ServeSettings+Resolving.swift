import Foundation
import HubServer

extension ServeSettings {
    /// Fills in the settings that depend on the machine: the node's name, the database, its backups and the
    /// browser phone's folder.
    ///
    /// - Parameters:
    ///   - dataDirectory: The path of the data directory, created if it is missing; nil: the user's default.
    ///   - environment: The environment variables, which determine the default directory; nil: the process's.
    /// - Throws: `ServeError` if the data directory or its file with the node's name cannot be created, is not safe
    ///   from other users or is not writable, or if the name in that file is invalid.
    public mutating func resolve(
        dataDirectory: String? = nil,
        environment: [String: String]? = nil
    ) throws(ServeError) {
        let directory =
            if let dataDirectory {
                try DataDirectory(making: dataDirectory)
            } else {
                try DataDirectory(defaultOf: environment ?? ProcessInfo.processInfo.environment)
            }
        self.dataDirectory = directory?.path
        if let node {
            hub.node = node
        } else if let name = try directory?.nodeName() {
            hub.node = name
        }
        storagePath = storagePath ?? directory.map { $0.path + "/" + DataDirectory.databaseName }
        if backup.isInDataDirectory { backup.folder = backup.folder ?? directory.map { $0.path + "/backups" } }
        if hub.transport.staticFilesDirectory == nil {
            hub.transport.staticFilesDirectory = BrowserPhoneFolder.find(program: BrowserPhoneFolder.program)
        }
    }
}
