import Foundation

/// What is written to the log, and how.
public struct LogSettings: Sendable {
    /// How much; each level has the ones before it.
    public enum Level: Int, Sendable, CaseIterable {
        /// Somebody must act.
        case error
        /// Will become an error.
        case warning
        /// The life of the process, and a line for each call that is over.
        case info
        /// The life of each connection, session and call.
        case debug
    }

    /// The shape of a line.
    public enum Format: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// One JSON object a line.
        case json
    }

    /// The least important level that is written.
    public var level = Level.info
    /// The shape of a line.
    public var format = Format.text
    /// Where lines go; standard error by default.
    public var write: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// The defaults.
    public init() {}
}

/// The hub's log: a static message and named fields, one line each; never audio, never a secret.
public struct HubLog: Sendable {
    private let settings: LogSettings

    /// A log.
    ///
    /// - Parameter settings: How much, in which shape, where to.
    public init(settings: LogSettings) {
        self.settings = settings
    }

    /// Writes a line, or nothing where the level is not asked for.
    ///
    /// - Parameters:
    ///   - level: How much it matters.
    ///   - message: The same each time, so that it can be searched for.
    ///   - fields: What differs from time to time.
    public func callAsFunction(
        _ level: LogSettings.Level,
        _ message: StaticString,
        _ fields: KeyValuePairs<String, String> = [:]
    ) {
        guard tells(level) else { return }
        write(level, message, fields.map { ($0.key, $0.value) })
    }

    /// Writes a line whose fields are known only by now; ask `tells` before making them.
    func callAsFunction(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        if tells(level) { write(level, message, fields) }
    }

    /// Whether lines of a level are written: what a line would cost can be saved where not.
    func tells(_ level: LogSettings.Level) -> Bool { level.rawValue <= settings.level.rawValue }

    private func write(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        let date = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        switch settings.format {
        case .text:
            let details = fields.map { " \($0.0)=\(Self.bounded($0.1))" }.joined()
            settings.write("\(date) \(level) \(message)\(details)")
        case .json:
            let pairs = [("time", date), ("level", "\(level)"), ("message", "\(message)")] + fields
            let members = pairs.map { "\(Self.quoted($0.0)):\(Self.quoted($0.1))" }
            settings.write("{\(members.joined(separator: ","))}")
        }
    }

    /// A value from outside must not be able to write lines of its own.
    private static func bounded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }
        return isPlain && !value.isEmpty && value.utf8.count <= 200 ? value : quoted(value)
    }

    private static func quoted(_ value: String) -> String {
        let escaped = value.unicodeScalars.prefix(200).map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
