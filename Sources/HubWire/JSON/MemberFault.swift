/// A value that is not what it must be: where it is, and what would be right.
struct MemberFault: Error {
    /// What kind of fault; decides the error's code.
    enum Kind {
        /// Not there.
        case missing
        /// Not of the right JSON type, or a word that the session's own settings do not know: -32602.
        case wrongType
        /// Of the right JSON type, but senseless: CXErrorDomain's invalidArgument, 602.
        case senseless
    }

    var path: [JSONValue.Step]
    var kind: Kind
    /// Completes "it must …".
    var requirement: String
    /// What there is; nil: nothing.
    var found: JSONValue?
}

extension MemberFault {
    /// The fault of a value itself.
    init(_ kind: Kind, _ value: JSONValue, _ requirement: String) {
        self.init(path: value.path, kind: kind, requirement: requirement, found: value)
    }

    /// The fault in words, with the offending value as it was sent.
    ///
    /// `params.actions[0].callUUID is "x"; it must be a UUID`
    var sentence: String {
        let place = path.reduce(into: "") { place, step in
            switch step {
            case .element(let index): place += "[\(index)]"
            case .member(let name): place += place.isEmpty ? name : ".\(name)"
            }
        }
        guard kind != .missing else { return "\(place) is missing; it must \(requirement)" }
        return "\(place) is \(found.map { bounded($0.text) } ?? "wrong"); it must \(requirement)"
    }

    /// The place, in `params.actions`, of the action that the fault is in.
    var actionIndex: Int? {
        guard path.count > 2, path[1] == .member("actions"), case .element(let index) = path[2] else { return nil }
        return index
    }
}

/// The longest piece of a client's message that an error text quotes, in characters.
///
/// Longer: easier to recognise; shorter: less of a client's text in replies and logs.
private let quotedCharacters = 60

/// A string of a client's, in quotes, cut to what an error text may quote.
func bounded(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(into: &bytes) { $0.value(text) }
    return bounded(bytes[...])
}

/// A piece of a client's message, cut to what an error text may quote.
func bounded(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes.prefix(quotedCharacters * 4), as: UTF8.self)
    guard text.count > quotedCharacters || bytes.count > quotedCharacters * 4 else { return text }
    return text.prefix(quotedCharacters) + "…"
}
