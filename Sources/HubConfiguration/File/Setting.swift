import HubServer
import HubWire

/// One setting: its name in the configuration file, its valid values, and its property in the settings.
package struct Setting: Sendable {
    /// The section and key in the configuration file.
    package let path: String
    /// The valid values, as the end of "it must be …".
    let rule: String
    /// Stores a value in the settings; false if it breaks the rule.
    package let apply: @Sendable (JSON5Value, inout ServeSettings) -> Bool
    /// The value in the settings.
    let value: @Sendable (ServeSettings) -> JSON5Value

    /// The error message for an invalid value, one sentence.
    package func fault(_ value: JSON5Value, as name: String) -> String {
        "\(name) is \(value.summary); it must be \(rule)."
    }
}

/// The property of the settings that a value is stored in.
typealias SettingKeyPath<Value> = any WritableKeyPath<ServeSettings, Value> & Sendable

/// The kinds of settings.
extension Setting {
    static func seconds(_ path: String, _ target: SettingKeyPath<Duration>, _ range: ClosedRange<Double>) -> Setting {
        duration(path, target, unit: .seconds(1), range)
    }

    static func milliseconds(_ path: String, _ target: SettingKeyPath<Duration>, _ range: ClosedRange<Double>)
        -> Setting
    {
        duration(path, target, unit: .milliseconds(1), range)
    }

    static func microseconds(_ path: String, _ target: SettingKeyPath<Duration>, _ range: ClosedRange<Double>)
        -> Setting
    {
        duration(path, target, unit: .microseconds(1), range)
    }

    private static func duration(
        _ path: String,
        _ target: SettingKeyPath<Duration>,
        unit: Duration,
        _ range: ClosedRange<Double>
    ) -> Setting {
        Setting(path: path, rule: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))") {
            value,
            settings in
            guard case .number(let number) = value, range.contains(number) else { return false }
            settings[keyPath: target] = unit * number
            return true
        } value: {
            .number($0[keyPath: target] / unit)
        }
    }

    static func count(_ path: String, _ target: SettingKeyPath<Int>, _ range: ClosedRange<Int>) -> Setting {
        Setting(path: path, rule: "a whole number from \(range.lowerBound) to \(range.upperBound)") { value, settings in
            guard case .number(let number) = value, let count = Int(exactly: number), range.contains(count) else {
                return false
            }
            settings[keyPath: target] = count
            return true
        } value: {
            .number(Double($0[keyPath: target]))
        }
    }

    static func countOrNull(_ path: String, _ target: SettingKeyPath<Int?>, _ range: ClosedRange<Int>) -> Setting {
        let rule = "a whole number from \(range.lowerBound) to \(range.upperBound), or null"
        return Setting(path: path, rule: rule) { value, settings in
            switch value {
            case .null: settings[keyPath: target] = nil
            case .number(let number):
                guard let count = Int(exactly: number), range.contains(count) else { return false }
                settings[keyPath: target] = count
            case .string, .bool, .array, .object: return false
            }
            return true
        } value: {
            $0[keyPath: target].map { .number(Double($0)) } ?? .null
        }
    }

    static func share(_ path: String, _ target: SettingKeyPath<Double>) -> Setting {
        Setting(path: path, rule: "a number from 0.1 to 1") { value, settings in
            guard case .number(let number) = value, (0.1...1).contains(number) else { return false }
            settings[keyPath: target] = number
            return true
        } value: {
            .number($0[keyPath: target])
        }
    }

    static func flag(_ path: String, _ target: SettingKeyPath<Bool>) -> Setting {
        Setting(path: path, rule: "true or false") { value, settings in
            guard case .bool(let flag) = value else { return false }
            settings[keyPath: target] = flag
            return true
        } value: {
            .bool($0[keyPath: target])
        }
    }

    /// A setting with a fixed list of words as values.
    static func choice<Value: Equatable & Sendable>(
        _ path: String,
        _ target: SettingKeyPath<Value>,
        _ words: [(word: String, value: Value)]
    ) -> Setting {
        let quotedWords = words.map { "\"\($0.word)\"" }
        let rule = quotedWords.dropLast().joined(separator: ", ") + " or " + (quotedWords.last ?? "")
        return Setting(path: path, rule: rule) { value, settings in
            guard let chosen = words.first(where: { value == .string($0.word) }) else { return false }
            settings[keyPath: target] = chosen.value
            return true
        } value: { settings in
            words.first { $0.value == settings[keyPath: target] }.map { .string($0.word) } ?? .null
        }
    }

    /// A string that satisfies `isValid`.
    static func text(
        _ path: String,
        _ target: SettingKeyPath<String>,
        _ rule: String,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Setting {
        Setting(path: path, rule: rule) { value, settings in
            guard case .string(let text) = value, isValid(text) else { return false }
            settings[keyPath: target] = text
            return true
        } value: {
            .string($0[keyPath: target])
        }
    }

    /// A string that satisfies `isValid`, or null.
    static func textOrNull(
        _ path: String,
        _ target: SettingKeyPath<String?>,
        _ rule: String,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Setting {
        Setting(path: path, rule: rule + ", or null") { value, settings in
            switch value {
            case .null: settings[keyPath: target] = nil
            case .string(let text) where isValid(text): settings[keyPath: target] = text
            case .string, .bool, .number, .array, .object: return false
            }
            return true
        } value: {
            $0[keyPath: target].map { .string($0) } ?? .null
        }
    }

    /// A list of strings that satisfy `isValid`.
    static func texts(
        _ path: String,
        _ target: SettingKeyPath<[String]>,
        _ rule: String,
        _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Setting {
        Setting(path: path, rule: rule) { value, settings in
            guard case .array(let values) = value else { return false }
            let texts = values.compactMap { value -> String? in
                guard case .string(let text) = value, isValid(text) else { return nil }
                return text
            }
            guard texts.count == values.count else { return false }
            settings[keyPath: target] = texts
            return true
        } value: {
            .array($0[keyPath: target].map { .string($0) })
        }
    }

    /// A list of IP addresses and networks.
    static func addresses(_ path: String, _ target: SettingKeyPath<[AddressRange]>) -> Setting {
        Setting(path: path, rule: "a list of IP addresses and networks such as [\"192.0.2.1\", \"10.0.0.0/8\"]") {
            value,
            settings in
            guard case .array(let values) = value else { return false }
            let ranges = values.compactMap { value -> AddressRange? in
                guard case .string(let text) = value else { return nil }
                return AddressRange(text)
            }
            guard ranges.count == values.count else { return false }
            settings[keyPath: target] = ranges
            return true
        } value: {
            .array($0[keyPath: target].map { .string($0.description) })
        }
    }
}
