import CUV  // Which module has timespec depends on what the compiler has loaded before.
import Foundation
import HubEngine
import HubWire

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

        /// Its name in a line.
        ///
        /// Not by `"\(level)"`: that looks the name up at run time, which is a hundredth of all that a call costs.
        var name: String {
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .info: "info"
            case .debug: "debug"
            }
        }
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

    /// Bytes appended to, and one string made of them: there is a line for each finished call.
    private func write(_ level: LogSettings.Level, _ message: StaticString, _ fields: [(String, String)]) {
        var line: [UInt8] = []
        line.reserveCapacity(768)
        switch settings.format {
        case .text:
            line += Self.date.utf8
            line.append(UInt8(ascii: " "))
            line += level.name.utf8
            line.append(UInt8(ascii: " "))
            line += message.description.utf8
            for (name, value) in fields {
                line.append(UInt8(ascii: " "))
                line += name.utf8
                line.append(UInt8(ascii: "="))
                Self.append(bounded: value, to: &line)
            }
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

    private static var date: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return RFC3339.text(of: Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)))
    }

    /// A value from outside must not be able to write lines of its own.
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
