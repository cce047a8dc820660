/// An invalid value in a JSON message: its path, and the requirement that it breaks.
struct JSONMemberError: Error {
    /// The kind of a fault, which decides the error's code.
    enum Kind {
        /// The member is missing.
        case missing
        /// The value has the wrong JSON type, or is an unknown word in a setting of the session: -32602.
        case wrongType
        /// The value has the right JSON type, but is invalid: CXErrorDomain's invalidArgument, 602.
        case invalidValue
    }

    var path: [JSONValue.Step]
    var kind: Kind
    /// The requirement, as the end of "it must …".
    var requirement: String
    /// The invalid value; nil: it is missing.
    var found: JSONValue?
}

extension JSONMemberError {
    /// Creates the fault of a value at its path.
    init(_ kind: Kind, _ value: JSONValue, _ requirement: String) {
        self.init(path: value.path, kind: kind, requirement: requirement, found: value)
    }

    /// The error message, which quotes the invalid value as it was sent.
    ///
    /// `params.actions[0].callUUID is "x"; it must be a UUID`
    var sentence: String {
        let pathText = path.reduce(into: "") { pathText, step in
            switch step {
            case .element(let index): pathText += "[\(index)]"
            case .member(let name): pathText += pathText.isEmpty ? name : ".\(name)"
            }
        }
        guard kind != .missing else { return "\(pathText) is missing; it must \(requirement)" }
        return "\(pathText) is \(found.map { quotedExcerpt($0.text) } ?? "wrong"); it must \(requirement)"
    }

    /// The index in `params.actions` of the action with the fault; nil: the fault is in no action.
    var actionIndex: Int? {
        guard path.count > 2, path[1] == .member("actions"), case .element(let index) = path[2] else { return nil }
        return index
    }
}

/// The maximum length of a client's text that an error message quotes, in characters.
///
/// Longer: easier to recognise; shorter: less of a client's text in replies and logs.
private let quotedCharacters = 60

/// A string of a client's in quotes, cut to the length that an error message may quote.
func quotedExcerpt(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(into: &bytes) { $0.value(text) }
    return quotedExcerpt(bytes[...])
}

/// A part of a client's message, cut to the length that an error message may quote.
func quotedExcerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(quotedCharacters * 4), as: UTF8.self)
    guard text.count > quotedCharacters || bytes.count > quotedCharacters * 4 else { return text }
    return text.prefix(quotedCharacters) + "…"
}
