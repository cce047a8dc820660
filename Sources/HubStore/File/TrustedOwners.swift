import Glibc

/// The users whose files, folders and links a process trusts; any other user could replace their content.
///
/// Root is always trusted, since root can change everything anyway.
public struct TrustedOwners: Sendable {
    private let owners: Set<uid_t>

    /// The rule of a hub: its own user and root are trusted.
    public static var hub: TrustedOwners { TrustedOwners(owners: [geteuid(), 0]) }

    /// The rule of a command: as a hub, but root works on the database of whichever user owns its folder.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: The rule for that database.
    public static func command(on path: String) -> TrustedOwners {
        var status = stat()
        guard geteuid() == 0, stat(folder(of: path), &status) == 0 else { return .hub }
        return TrustedOwners(owners: [0, status.st_uid])
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: Checks

    /// Checks the owner and the permissions of a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - name: The folder's name in the sentence, such as `its folder /srv`.
    /// - Returns: The reason not to use it as a part of a sentence; nil: there is none, or there is no folder.
    public func fault(ofFolder path: String, called name: String) -> String? {
        if let fault = faultOfLinks(to: path) { return fault }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        guard owners.contains(status.st_uid) else { return "\(name) belongs to user \(status.st_uid)" }
        guard status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0 else {
            return "everybody may write in \(name)"
        }
        return nil
    }

    /// Checks the owner and the permissions of a file.
    ///
    /// - Parameter path: The path of the file; a symbolic link in its place is a reason not to use it.
    /// - Returns: The reason not to use it as a part of a sentence; nil: there is none, or there is no file.
    public func fault(ofFile path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? fault(of: status, path) : nil
    }

    /// Checks the owner and the permissions of an open file.
    func fault(of status: stat, _ path: String) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is no plain file" }
        guard owners.contains(status.st_uid) else {
            return "\(path) belongs to user \(status.st_uid), who may change it"
        }
        guard status.st_nlink <= 1 else { return "\(path) has \(status.st_nlink) names (hard links)" }
        return nil
    }

    /// The reason not to follow the symbolic links of a path; another user's link could lead anywhere.
    func faultOfLinks(to path: String) -> String? {
        var rest = Self.parts(path)
        var place = path.hasPrefix("/") ? "" : "."
        var links = 0
        while let name = rest.popLast() {
            let next = place + "/" + name
            var status = stat()
            guard lstat(next, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                place = next
                continue
            }
            guard owners.contains(status.st_uid) else {
                return "the link \(next) belongs to user \(status.st_uid), who may point it elsewhere"
            }
            links += 1
            // More links than the system itself follows.
            guard links <= 40, let target = Self.target(of: next) else { return nil }
            if target.hasPrefix("/") { place = "" }
            rest += Self.parts(target)
        }
        return nil
    }

    /// The components of a path, the last one first.
    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}

extension TrustedOwners {
    /// Throws if another user could have created the files next to a database.
    ///
    /// - Parameter path: The path of the database, without symbolic links.
    /// - Throws: `StoreError` with a sentence that names the file.
    func check(_ path: String) throws(StoreError) {
        let folder = Self.folder(of: path)
        if let reason = fault(ofFolder: folder, called: "its folder \(folder)") {
            throw .cannot("used", path, reason, instead: "make it user \(geteuid())'s alone, or name another file")
        }
        for ending in ["", "-wal", "-shm", ".lock", ".recents"] {
            guard let reason = fault(ofFile: path + ending) else { continue }
            throw refusal(of: path, reason)
        }
    }

    /// The failure of a database because of a file next to it.
    func refusal(of path: String, _ reason: String) -> StoreError {
        let remedy = reason.contains("belongs") ? "make it user \(geteuid())'s" : "remove it"
        return .cannot("used", path, reason, instead: "\(remedy), or name another database")
    }
}
