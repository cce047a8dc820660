import Foundation
import HubWire

/// A file to be created or overwritten.
package struct WritableFile {
    private let path: String

    /// Takes the path of a file that may exist.
    package init(_ path: String) { self.path = path }

    /// The reason why the file cannot be written, as far as it can be known before; nil: none.
    package var fault: String? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder.boolValue { return "it is a folder" }
            return access(path, W_OK) == 0 ? nil : String(cString: strerror(errno))
        }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            return "there is no folder \(quoted(folder))"
        }
        guard isFolder.boolValue else { return "\(quoted(folder)) is no folder" }
        return access(folder, W_OK) == 0 ? nil : "\(quoted(folder)): \(String(cString: strerror(errno)))"
    }

    /// Writes the file atomically; one that is no plain file, such as a pipe, is not replaced.
    ///
    /// - Returns: The reason why it could not be written; nil: it was.
    package func write(_ text: String) -> String? {
        if let fault { return fault }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        do {
            try Data(text.utf8).write(
                to: URL(filePath: path),
                options: type == nil || type == .typeRegular ? .atomic : []
            )
            return nil
        } catch let error as CocoaError {
            let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { "\($0.localizedDescription)" }
            return cause ?? error.localizedDescription
        } catch {
            return error.localizedDescription
        }
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
