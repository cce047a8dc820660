import CUV  // Which module has timespec depends on what the compiler has loaded before.
import Glibc

/// The files under one folder, found by URL path.
///
/// A path that leaves the folder, by dots or by a symbolic link, and every hidden file, is simply not there.
struct StaticFiles {
    /// A file to be sent.
    struct File: Equatable {
        /// On disk, without links.
        var path: String

        /// By its ending.
        var contentType: String

        /// Changes when the file does, in quotes.
        var tag: String

        /// The file's length.
        var byteCount: Int
    }

    /// The folder, without links and without `/` at its end; nil when there is none.
    let root: String?

    /// Files of a folder.
    ///
    /// - Parameter directory: One that need not exist; then there are no files.
    init(directory: String) {
        root = Self.real(directory).map { $0 == "/" ? "" : $0 }
    }

    /// The file for a path; `index.html` for one that ends in `/`.
    ///
    /// - Parameter path: Decoded, from `/` on.
    /// - Returns: Nil when there is none.
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

    /// The Content-Type for a file name.
    ///
    /// - Parameter name: With its ending.
    /// - Returns: `application/octet-stream` for an unknown one.
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
