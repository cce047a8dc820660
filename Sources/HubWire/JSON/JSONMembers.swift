/// The members of a JSON object, read by name; an invalid one throws a `JSONMemberError`.
struct JSONMembers {
    /// The object; nil: it is absent, and has no members.
    private let object: JSONValue?
    /// The path of an absent object, for faults.
    private let absentPath: [JSONValue.Step]

    init(_ value: JSONValue) throws(JSONMemberError) {
        guard value.isObject else { throw JSONMemberError(.wrongType, value, "be an object") }
        object = value
        absentPath = []
    }

    private init(absentAt path: [JSONValue.Step]) {
        object = nil
        absentPath = path
    }

    /// A member's value; nil: it is absent.
    func value(_ name: String) -> JSONValue? { object?.member(name) }

    /// The JSON text of a member that is only echoed; nil: it is absent.
    func text(of name: String) -> RawJSON? { value(name).map { RawJSON(checked: $0.text) } }

    func contains(_ name: String) -> Bool { value(name) != nil }

    /// Indicates that a member is null or absent.
    func isNull(_ name: String) -> Bool { value(name)?.isNull ?? true }

    /// The members of an object that may be absent or null, and is empty then.
    func object(_ name: String, _ requirement: @autoclosure () -> String) throws(JSONMemberError) -> JSONMembers {
        guard let value = value(name), !value.isNull else { return JSONMembers(absentAt: path + [.member(name)]) }
        guard value.isObject else { throw fault(name, .wrongType, requirement()) }
        return try JSONMembers(value)
    }

    /// The value of a required member.
    func required<Value: JSONDecodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(JSONMemberError) -> Value {
        guard let member = value(name) else { throw fault(name, .missing, requirement()) }
        guard let value = try Value(member) else {
            throw fault(name, member.isBeyond(Value.self) ? .invalidValue : .wrongType, requirement())
        }
        return value
    }

    /// The value of a member that may be absent or null.
    func optional<Value: JSONDecodable>(
        _ name: String,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(JSONMemberError) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, as: type, requirement())
    }

    /// The value that `make` creates from the string of a required member.
    func required<Value>(
        _ name: String,
        _ requirement: @autoclosure () -> String,
        orElse kind: JSONMemberError.Kind = .invalidValue,
        from make: (String) -> Value?
    ) throws(JSONMemberError) -> Value {
        let text = try required(name, as: String.self, requirement())
        guard let value = make(text) else { throw fault(name, kind, requirement()) }
        return value
    }

    /// The value that `make` creates from the string of a member that may be absent or null.
    func optional<Value>(
        _ name: String,
        _ requirement: @autoclosure () -> String,
        orElse kind: JSONMemberError.Kind = .invalidValue,
        from make: (String) -> Value?
    ) throws(JSONMemberError) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, requirement(), orElse: kind, from: make)
    }

    func fault(_ name: String, _ kind: JSONMemberError.Kind, _ requirement: String) -> JSONMemberError {
        JSONMemberError(path: path + [.member(name)], kind: kind, requirement: requirement, found: value(name))
    }

    private var path: [JSONValue.Step] { object?.path ?? absentPath }
}
