import Foundation

/// The place of the browser phone's files, when the configuration does not say.
enum WebPhoneFolder {
    /// Finds `web-static` of an installed hub (`../share/callhub` of its program), or of the package whose `.build`
    /// folder has the program.
    ///
    /// A folder of the working directory, or anywhere else above the program, could be somebody else's: its page would
    /// be the hub's own to every browser.
    ///
    /// - Parameter program: The absolute path of the running program.
    /// - Returns: The folder; nil: neither is there.
    static func find(program: String) -> String? {
        guard program.hasPrefix("/") else { return nil }
        let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        var candidates = [folder.deletingLastPathComponent().appendingPathComponent("share/callhub/web-static")]
        if let package = package(of: folder) { candidates.append(package.appendingPathComponent("web-static")) }
        return candidates.map(\.path).first { isPhone($0) }
    }

    /// The package of a folder within its `.build` folder.
    private static func package(of folder: URL) -> URL? {
        var folder = folder
        while folder.path != "/", folder.lastPathComponent != ".build" { folder.deleteLastPathComponent() }
        let package = folder.deletingLastPathComponent()
        guard folder.path != "/", access(package.path + "/Package.swift", R_OK) == 0 else { return nil }
        return package
    }

    /// Whether a folder holds a page.
    static func isPhone(_ folder: String) -> Bool { access(folder + "/index.html", R_OK) == 0 }

    /// The path of the running program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? ""
    }
}
