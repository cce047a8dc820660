import CUV  // Which module has timespec depends on what the compiler has loaded before.
import Foundation
import HubEngine
import HubWire

/// The settings of the log: level, format and destination.
public struct LogSettings: Sendable {
    /// The importance of a line; each level includes the ones before it.
    public enum Level: Int, Sendable, CaseIterable {
        /// An operator must act.
        case error
        /// A condition that will become an error.
        case warning
        /// The life of the process, and a line for each call that has ended.
        case info
        /// The life of each connection, session and call.
        case debug

        /// The name in a line.
        ///
        /// Not made by `"\(level)"`, which looks the name up at run time: that costs a hundredth of a whole call.
        var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .info: "info"
            case .debug: "debug"
            }
        }

        /// True for lines that are kept for the administrator.
        var isRecent: Bool { rawValue <= Self.warning.rawValue }
    }

    /// The format of a line.
    public enum Format: String, Sendable, CaseIterable {
        /// For human readers.
        case text
        /// One JSON object per line.
        case json
    }

    /// The least important level that is written.
    public var level = Level.info
    /// The format of a line.
    public var format = Format.text
    /// The function that writes a line; writes to standard error by default.
    public var write: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// The last warnings and errors, whatever the level is; shared by all copies of the settings.
    public let recent = RecentLogLines()

    /// Makes the default settings.
    public init() {}
}

/// The hub's log: a static message and named fields, one line each; never audio, never a secret.
public struct HubLog: Sendable {
    private let settings: LogSettings

    /// Makes a log.
    ///
    /// - Parameter settings: The level, format and destination of lines.
    public init(settings: LogSettings) {
        self.settings = settings
    }

    /// Writes a line, if its level is enabled.
    ///
    /// - Parameters:
    ///   - level: The importance of the line.
    ///   - message: The constant part, so that it can be searched for.
    ///   - fields: The variable parts, as pairs of a name and a value.
    public func callAsFunction(
        _ level: LogSettings.Level,
        _ message: StaticString,
        _ fields: KeyValuePairs<String, String> = [:]
    ) {
        guard isEnabled(level) || level.isRecent else { return }
        write(level, message, fields.map { ($0.key, $0.value) })
    }

    /// Writes a line whose fields are only known at run time; check `isEnabled` before making them.
    func callAsFunction(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        if isEnabled(level) || level.isRecent { write(level, message, fields) }
    }

    /// Indicates that lines of a level are written, so that the cost of others can be saved.
    func isEnabled(_ level: LogSettings.Level) -> Bool { level.rawValue <= settings.level.rawValue }

    /// Appends bytes, and makes one string of them, for speed: there is a line for each call.
    private func write(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        if level.isRecent { addToRecent(level, message, fields) }
        guard isEnabled(level) else { return }
        var line: [UInt8] = []
        line.reserveCapacity(768)
        switch settings.format {
        case .text:
            line += Self.date.utf8
            line.append(UInt8(ascii: " "))
            line += level.name.utf8
            line.append(UInt8(ascii: " "))
            line += message.description.utf8
            Self.append(fields, to: &line)
        case .json:
            line += "{\"time\":\"\(Self.date)\",\"level\":\"\(level.name)\",\"message\":\"\(message)\"".utf8
            for (name, value) in fields {
                line += ",\"".utf8
                line += name.utf8
                line += "\":".utf8
                Self.append(quoted: value, to: &line)
            }
            line.append(UInt8(ascii: "}"))
        }
        settings.write(String(decoding: line, as: UTF8.self))
    }

    private func addToRecent(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        var text = Array(message.description.utf8)
        Self.append(fields, to: &text)
        let line = RecentLogLines.Line(at: Self.now, level: level, text: String(decoding: text, as: UTF8.self))
        settings.recent.add(line)
    }

    private static func append(_ fields: [(String, String)], to line: inout [UInt8]) {
        for (name, value) in fields {
            line.append(UInt8(ascii: " "))
            line += name.utf8
            line.append(UInt8(ascii: "="))
            append(bounded: value, to: &line)
        }
    }

    private static var date: String { RFC3339.text(of: now) }

    private static var now: Instant {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }

    /// Appends a value, quoted if need be: external text must not be able to forge lines.
    private static func append(bounded value: String, to line: inout [UInt8]) {
        if isPlain(value) { line += value.utf8 } else { line += quoted(value).utf8 }
    }

    private static func append(quoted value: String, to line: inout [UInt8]) {
        guard isPlain(value) else { return line += quoted(value).utf8 }
        line.append(UInt8(ascii: "\""))
        line += value.utf8
        line.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ value: String) -> Bool {
        let bytes = value.utf8.span
        guard !bytes.isEmpty, bytes.count <= 200 else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            let isQuoting = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            guard byte > 0x20, byte != 0x7F, !isQuoting else { return false }
        }
        return true
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
