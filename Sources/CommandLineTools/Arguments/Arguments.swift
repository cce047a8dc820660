import HubWire

/// One option of a command: `--name` alone, or `--name VALUE`.
package struct Option: Sendable {
    /// The option's name with its dashes.
    package let name: String
    /// The placeholder for the value in the help; nil: the option takes no value.
    package let value: String?
    /// The option's text in the help, one or two sentences.
    package let help: String

    package init(_ name: String, value: String? = nil, help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// The reason why a command line is invalid, in one sentence.
package struct UsageError: Error {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// The parsed arguments of a command: `--name value`, `--name=value` and words; after `--` all are words.
///
/// The last value counts if an option is given twice, so that a script's default can be overridden by later
/// arguments; `all` returns every value of an option that may be repeated.
package struct Arguments {
    /// The positional arguments, in order.
    package private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    /// Parses the arguments that follow a command's name.
    package init(_ arguments: [String], options: [Option]) throws(UsageError) {
        CommandRecorder.current?.add(options)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = try Self.option(named: String(parts.first ?? ""), in: options)
            let attached = parts.count > 1 ? String(parts[1]) : nil
            values[option.name, default: []].append(try Self.value(of: option, attached: attached, rest: &rest))
        }
    }

    /// The index of the first positional argument; nil: there is none.
    package static func firstPositionalIndex(of arguments: [String], options: [Option]) throws(UsageError) -> Int? {
        var place = 0
        while place < arguments.count {
            let argument = arguments[place]
            guard argument.hasPrefix("-"), argument != "-" else { return place }
            guard argument != "--" else { return nil }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = try option(named: String(parts.first ?? ""), in: options)
            place += option.value != nil && parts.count == 1 ? 2 : 1
        }
        return nil
    }

    private static func option(named name: String, in options: [Option]) throws(UsageError) -> Option {
        if let option = options.first(where: { $0.name == name }) { return option }
        let nearest = nearestCandidate(to: name, in: options.map(\.name))
        throw UsageError(
            "there is no option \(quoted(name))\(nearest.map { "; did you mean \($0)?" } ?? "; see --help.")"
        )
    }

    private static func value(
        of option: Option,
        attached: String?,
        rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let placeholder = option.value else {
            guard attached == nil else { throw UsageError("\(option.name) takes no value.") }
            return ""
        }
        if let attached { return attached }
        // An option in the place of the value means that the value is missing; `-` is standard input or output.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw UsageError("\(option.name) needs a value: \(option.name) \(placeholder).")
        }
        rest.removeFirst()
        return next
    }

    /// The value of an option; nil if it was not given.
    package subscript(_ option: Option) -> String? { values[option.name]?.last }

    /// All values of an option, in order.
    package func all(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// Indicates that an option was given.
    package func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value of an option as a number within a range; nil if it was not given.
    package func number(_ option: Option, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = self[option] else { return nil }
        guard let number = Double(text), range.contains(number) else {
            let bounds = "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
            throw UsageError("\(option.name) is \(quoted(text)); it must be a number from \(bounds).")
        }
        return number
    }

    /// The options as the help lists them.
    package static func table(_ options: [Option]) -> String {
        let names = options.map { "  " + $0.name + ($0.value.map { " " + $0 } ?? "") }
        let width = (names.map(\.count).max() ?? 0) + 2
        let indent = String(repeating: " ", count: width)
        return zip(names, options).map { name, option in
            let lines = option.help.split(separator: "\n", omittingEmptySubsequences: false)
            let padded = name + String(repeating: " ", count: width - name.count)
            return padded + lines.joined(separator: "\n" + indent) + "\n"
        }.joined()
    }
}
