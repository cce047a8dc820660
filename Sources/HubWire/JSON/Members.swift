import FoundationEssentials

/// The name of a member of a JSON object.
struct MemberName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringLiteral value: String) { stringValue = value }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A member that is not what it must be: where it is, and what would be right.
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

    var path: [any CodingKey]
    var kind: Kind
    /// Completes "it must …".
    var requirement: String
}

/// The members of one JSON object, read by name; whatever is wrong becomes a `MemberFault`.
struct Members {
    /// Nil: there is no object, and so no member.
    private let container: KeyedDecodingContainer<MemberName>?
    private let path: [any CodingKey]

    init(_ decoder: any Decoder) throws(MemberFault) {
        do {
            path = decoder.codingPath
            container = try decoder.container(keyedBy: MemberName.self)
        } catch {
            throw MemberFault(path: decoder.codingPath, kind: .wrongType, requirement: "be an object")
        }
    }

    private init(_ container: KeyedDecodingContainer<MemberName>?, path: [any CodingKey]) {
        self.container = container
        self.path = path
    }

    func contains(_ name: MemberName) -> Bool { container?.contains(name) ?? false }

    /// Whether a member is null or not there.
    func isNull(_ name: MemberName) -> Bool {
        // Asked first: for a member that is not there, `decodeNil` makes an error, which costs more than all the rest.
        guard let container, container.contains(name) else { return true }
        return (try? container.decodeNil(forKey: name)) ?? true
    }

    /// The members of an object that may be absent or null: then it has none.
    func object(_ name: MemberName, _ requirement: @autoclosure () -> String) throws(MemberFault) -> Members {
        guard let container, !isNull(name) else { return Members(nil, path: path + [name]) }
        do {
            let nested = try container.nestedContainer(keyedBy: MemberName.self, forKey: name)
            return Members(nested, path: path + [name])
        } catch {
            throw fault(name, .wrongType, requirement())
        }
    }

    /// A member that must be there.
    func required<Value: Decodable>(
        _ name: MemberName,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(MemberFault) -> Value {
        guard let container, container.contains(name) else { throw fault(name, .missing, requirement()) }
        do {
            return try container.decode(type, forKey: name)
        } catch let fault as MemberFault {
            throw fault
        } catch {
            throw fault(name, .wrongType, requirement())
        }
    }

    /// A member that may be absent or null.
    func optional<Value: Decodable>(
        _ name: MemberName,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(MemberFault) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, as: type, requirement())
    }

    /// A member that must be a text of which `make` can make a value.
    func required<Value>(
        _ name: MemberName,
        _ requirement: @autoclosure () -> String,
        orElse kind: MemberFault.Kind = .senseless,
        from make: (String) -> Value?
    ) throws(MemberFault) -> Value {
        let text = try required(name, as: String.self, requirement())
        guard let value = make(text) else { throw fault(name, kind, requirement()) }
        return value
    }

    /// A member that may be absent or null, and otherwise must be a text of which `make` can make a value.
    func optional<Value>(
        _ name: MemberName,
        _ requirement: @autoclosure () -> String,
        orElse kind: MemberFault.Kind = .senseless,
        from make: (String) -> Value?
    ) throws(MemberFault) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, requirement(), orElse: kind, from: make)
    }

    func fault(_ name: MemberName, _ kind: MemberFault.Kind, _ requirement: String) -> MemberFault {
        MemberFault(path: path + [name], kind: kind, requirement: requirement)
    }
}

extension MemberFault {
    /// The fault in words, with the offending value as it stands in `bytes`.
    ///
    /// `params.actions[0].callUUID is "x"; it must be a UUID`
    func sentence(about bytes: [UInt8]) -> String {
        let place = path.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        guard kind != .missing else { return "\(place) is missing; it must \(requirement)" }
        var scanner = JSONScanner(bytes)
        let value = scanner.range(at: path).map { bounded(bytes[$0]) } ?? "wrong"
        return "\(place) is \(value); it must \(requirement)"
    }

    /// The place, in `params.actions`, of the action that the fault is in.
    var actionIndex: Int? {
        path.count > 2 && path[1].stringValue == "actions" ? path[2].intValue : nil
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
