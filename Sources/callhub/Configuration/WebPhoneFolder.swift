import Foundation

/// Where the browser phone's files are, when the configuration does not say.
enum WebPhoneFolder {
    /// `web-static` of the working directory, of an installed hub (`../share/callhub` of its program), or of the source
    /// tree that the program was built in; nil where there is none.
    static func find(workingDirectory: String, program: String) -> String? {
        let programFolder = URL(fileURLWithPath: program).deletingLastPathComponent()
        var candidates = [
            URL(fileURLWithPath: workingDirectory).appendingPathComponent("web-static"),
            programFolder.deletingLastPathComponent().appendingPathComponent("share/callhub/web-static"),
        ]
        var folder = programFolder
        while folder.path != "/" {
            candidates.append(folder.appendingPathComponent("web-static"))
            folder.deleteLastPathComponent()
        }
        return candidates.map(\.path).first { isPhone($0) }
    }

    /// Whether a folder holds a page.
    static func isPhone(_ folder: String) -> Bool { access(folder + "/index.html", R_OK) == 0 }

    /// The path of the running program.
    static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first
            ?? ""
    }
}
