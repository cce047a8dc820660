import Foundation
import HubMedia

/// The folder of a scenario's file, with its sound files.
final class SoundFolder {
    private let folder: String
    private var faults: [String: String?] = [:]

    /// Creates the folder of a file; nil: the working directory.
    init(beside file: String?) {
        folder = file.flatMap { file in file.lastIndex(of: "/").map { String(file[...$0]) } } ?? ""
    }

    /// Returns the path of a file that a scenario names.
    func path(of name: String) -> String {
        // A dash alone would be standard input.
        name.hasPrefix("/") ? name : folder.isEmpty && name.hasPrefix("-") ? "./" + name : folder + name
    }

    /// Returns the reason why a party cannot play a file; nil: it can.
    func fault(of name: String) -> String? {
        if let known = faults[name] { return known }
        let fault = Self.fault(at: path(of: name))
        faults[name] = .some(fault)
        return fault
    }

    private static func fault(at path: String) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no file \"\(LineFormat.comment(path))\""
        }
        let real = URL(filePath: path).resolvingSymlinksInPath().path()
        let type = try? FileManager.default.attributesOfItem(atPath: real)[.type] as? FileAttributeType
        guard type == .typeRegular else { return "\"\(LineFormat.comment(path))\" is no file of sound" }
        do {
            let packets = try SoundFile.packets(path)
            let table = VoiceTable([Party("player")], toneSenders: [], files: [(0, try Fingerprint(packets))])
            _ = try PauseAnalysis.all(table, [(0, path)], [path: packets])
            return nil
        } catch {
            return "\(error)"
        }
    }
}
