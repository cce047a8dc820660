import Foundation

/// The default folder of the browser phone's files, if the configuration names none.
package enum BrowserPhoneFolder {
    /// Finds the folder `web-static` of an installed hub, or of the package that the program was built in.
    ///
    /// An installed hub has it in `../share/callhub` of its program's folder; a package is found by the `.build` folder
    /// that the program is in. A release build prefers the bundle that `make run` puts there, unless a file has changed
    /// since.
    ///
    /// A folder of the working directory, or anywhere else above the program, could be another user's, and browsers
    /// would take its page for the hub's own.
    ///
    /// - Parameter program: The absolute path of the running program.
    /// - Returns: The folder's path; nil: neither folder exists.
    package static func find(program: String) -> String? {
        guard program.hasPrefix("/") else { return nil }
        let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        var candidates = [folder.deletingLastPathComponent().appendingPathComponent("share/callhub/web-static")]
        if let package = package(of: folder) {
            let source = package.appendingPathComponent("web-static")
            let bundle = package.appendingPathComponent(".build/web-static")
            if folder.lastPathComponent == "release", isBundle(bundle, of: source) { candidates.append(bundle) }
            candidates.append(source)
        }
        return candidates.map(\.path).first { containsPhone($0) }
    }

    /// The package of a folder within its `.build` folder.
    private static func package(of folder: URL) -> URL? {
        var folder = folder
        while folder.path != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
        let package = folder.deletingLastPathComponent()
        guard folder.path != "/", access(package.path + "/Package.swift", R_OK) == 0 else { return nil }
        return package
    }

    /// Indicates that the files of a bundle are those of its source: nothing in the source is newer than its page.
    private static func isBundle(_ bundle: URL, of source: URL) -> Bool {
        let key = URLResourceKey.contentModificationDateKey
        func time(_ url: URL) -> Date? { try? url.resourceValues(forKeys: [key]).contentModificationDate }
        guard let made = time(bundle.appendingPathComponent("index.html")),
            let files = FileManager.default.enumerator(at: source, includingPropertiesForKeys: [key])
        else { return false }
        let times = files.lazy.compactMap { ($0 as? URL).flatMap(time) }
        return times.allSatisfy { $0 <= made }
    }

    /// Indicates that a folder has an `index.html`.
    package static func containsPhone(_ folder: String) -> Bool { access(folder + "/index.html", R_OK) == 0 }

    /// The path of the running program.
    package static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? ""
    }
}
