import CommandLineTools
import HubAccountData
import HubEngine
import HubWire

/// The result of a load, for `--json` and for people.
struct DirectoryLoadReport: Encodable {
    let `extension`: String
    let blocking: Int
    let identification: Int
    let sent: Int
    let removals: Int
    let duplicates: Int
    let badLines: Int
    let seconds: Double

    /// The result in one line of text for people.
    var sentence: String {
        var left: [String] = []
        if duplicates > 0 { left.append("\(count(duplicates, "entry", "entries")) there twice") }
        if badLines > 0 { left.append("\(count(badLines, "bad line")) left out") }
        let change = sent == 0 && removals > 0 ? "\(count(removals, "entry", "entries")) removed" : "loaded"
        let time = CommandLineTools.seconds(.milliseconds(Int(seconds * 1_000)))
        return "\(visible(`extension`)) has \(count(blocking, "blocked number")) and "
            + "\(count(identification, "name")) now, \(change) in \(time)"
            + (left.isEmpty ? "" : " (\(left.joined(separator: ", ")))") + ".\n"
    }
}

/// A directory as `callhub directory list --json` prints it.
struct ListedDirectory: Encodable {
    let `extension`: String
    let enabled: Bool
    let blocking: Int
    let identification: Int
    let loadedAt: String?
    let incremental: Bool
    let title: String?
    let lastError: LastError?

    /// The reason why the last load was not stored.
    struct LastError: Encodable {
        let code: Int
        let message: String
        let at: String
    }

    init(_ status: DirectoryStatus) {
        `extension` = status.identifier
        enabled = status.isEnabled
        blocking = status.blocking
        identification = status.identification
        loadedAt = status.loadedAt.map { RFC3339.text(of: $0) }
        incremental = status.isIncremental
        title = status.title
        lastError = status.lastFault.map {
            LastError(code: ErrorCode($0.code).number, message: $0.message, at: RFC3339.text(of: $0.at))
        }
    }
}
