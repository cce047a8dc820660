import CUV  // Which module has timespec depends on what the compiler has loaded before.
import Glibc

/// The static files of one folder, found by URL path.
///
/// A path that leaves the folder, by dots or by a symbolic link, and every hidden file, is treated as missing.
struct StaticFiles {
    /// A file to be sent.
    struct File: Equatable {
        /// The path on disk, with symbolic links resolved.
        var path: String

        /// The Content-Type, by the file's extension.
        var contentType: String

        /// The ETag with its quotes, made of the file's size and modification time.
        var tag: String

        /// The size in bytes.
        var byteCount: Int

        /// The coding of the content.
        var coding = Coding.identity
    }

    /// The coding of a file's content (RFC 9110 section 8.4).
    enum Coding: Equatable {
        /// None, and there is no other.
        case identity
        /// None, for a client that does not accept gzip.
        case identityForClient
        /// gzip.
        case gzip

        /// The header lines of a response.
        var headers: String {
            switch self {
            case .identity: ""
            case .identityForClient: "vary: accept-encoding\r\n"
            case .gzip: "vary: accept-encoding\r\ncontent-encoding: gzip\r\n"
            }
        }
    }

    /// The path of the folder, without links and without `/` at its end; nil if there is none.
    let root: String?

    /// Serves the files of a folder.
    ///
    /// - Parameter directory: The path of the folder; if it does not exist, there are no files.
    init(directory: String) {
        root = Self.real(directory).map { $0 == "/" ? "" : $0 }
    }

    /// Finds the file for a path; `index.html` for one that ends in `/`.
    ///
    /// A file `NAME.gz` is the compressed form of `NAME`, made by `Sources/PhoneBundle`, unless it is the older one.
    ///
    /// - Parameters:
    ///   - path: The path of the URL, decoded, from `/` on.
    ///   - acceptsGzip: True to find the compressed form, if there is one.
    /// - Returns: The file; nil if there is none.
    func find(_ path: String, acceptsGzip: Bool = false) -> File? {
        guard path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count < 1024 else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.contains(where: { $0.hasPrefix(".") }) else { return nil }
        let name = path.hasSuffix("/") ? path + "index.html" : path
        guard let found = state(of: name) else { return nil }
        let type = Self.contentType(of: found.path)
        guard let packed = state(of: name + ".gz"), !packed.isOutdated(by: found) else {
            return File(path: found.path, contentType: type, tag: "\"\(found.tag)\"", byteCount: found.size)
        }
        let (chosen, coding, suffix) = acceptsGzip ? (packed, Coding.gzip, "-gzip") : (found, .identityForClient, "")
        let tag = "\"\(chosen.tag)\(suffix)\""
        return File(path: chosen.path, contentType: type, tag: tag, byteCount: chosen.size, coding: coding)
    }

    /// A file on disk.
    private struct FileState {
        var path: String
        var size: Int
        /// The time of the last change, in nanoseconds since 1970.
        var modified: UInt64

        /// Indicates that another file was changed later; within a minute both may have been copied in either order.
        func isOutdated(by other: FileState) -> Bool {
            modified.addingReportingOverflow(60_000_000_000).partialValue < other.modified
        }

        var tag: String { "\(String(size, radix: 16))-\(String(modified, radix: 16))" }
    }

    private func state(of name: String) -> FileState? {
        guard let root, let real = Self.real(root + name), real.hasPrefix(root + "/") else { return nil }
        var information = stat()
        guard stat(real, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified =
            UInt64(bitPattern: Int64(information.st_mtim.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(information.st_mtim.tv_nsec))
        return FileState(path: real, size: information.st_size, modified: modified)
    }

    /// Indicates that a request accepts gzip (RFC 9110 section 12.5.3).
    ///
    /// - Parameter accepted: The Accept-Encoding header.
    /// - Returns: True if it does, with a weight above zero.
    static func acceptsGzip(_ accepted: FieldValue) -> Bool {
        guard case .text(let list) = accepted else { return false }
        var weights: [Substring: Bool] = [:]
        for element in list.lowercased().filter({ $0 != " " && $0 != "\t" }).split(separator: ",") {
            let parts = element.split(separator: ";")
            guard let coding = parts.first else { continue }
            // A weight of zero: not acceptable.
            weights[coding] = !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
        }
        return weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? false
    }

    /// Looks up the Content-Type for a file name.
    ///
    /// - Parameter name: The name with its extension.
    /// - Returns: The type; `application/octet-stream` for an unknown extension.
    static func contentType(of name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return contentTypes[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }

    private static let contentTypes = [
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "json": "application/json",
        "map": "application/json",
        "webmanifest": "application/manifest+json",
        "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "wasm": "application/wasm",
        "svg": "image/svg+xml",
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "ico": "image/x-icon",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "ogg": "audio/ogg",
        "opus": "audio/ogg",
        "wav": "audio/wav",
        "mp3": "audio/mpeg",
    ]

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
