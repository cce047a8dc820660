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
    /// - Parameter path: The path of the URL, decoded, from `/` on.
    /// - Returns: The file; nil if there is none.
    func find(_ path: String) -> File? {
        guard let root, path.hasPrefix("/"), !path.utf8.contains(0), path.utf8.count < 1024 else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.contains(where: { $0.hasPrefix(".") }) else { return nil }
        let name = path.hasSuffix("/") ? path + "index.html" : path
        guard let real = Self.real(root + name), real.hasPrefix(root + "/") else { return nil }
        var information = stat()
        guard stat(real, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified =
            UInt64(bitPattern: Int64(information.st_mtim.tv_sec)) &* 1_000_000_000
            &+ UInt64(bitPattern: Int64(information.st_mtim.tv_nsec))
        let tag = "\"\(String(information.st_size, radix: 16))-\(String(modified, radix: 16))\""
        return File(path: real, contentType: Self.contentType(of: real), tag: tag, byteCount: information.st_size)
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
