import Foundation

/// The default folder of the browser phone's files, if the configuration names none.
package enum BrowserPhoneFolder {
    /// Finds the folder `web-static` of an installed hub, or of the package that the program was built in.
    ///
    /// An installed hub has it in `../share/callhub` of its program's folder; a package is found by the `.build` folder
    /// that the program is in.
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
        if let package = package(of: folder) { candidates.append(package.appendingPathComponent("web-static")) }
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

    /// Indicates that a folder has an `index.html`.
    package static func containsPhone(_ folder: String) -> Bool { access(folder + "/index.html", R_OK) == 0 }

    /// The path of the running program.
    package static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? ""
    }
}
