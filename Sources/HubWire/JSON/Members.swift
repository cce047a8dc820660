/// The members of one JSON object, read by name; whatever is wrong becomes a `MemberFault`.
struct Members {
    /// Nil: there is no object, and so no member.
    private let object: JSONValue?
    /// Where it would be.
    private let absentPath: [JSONValue.Step]

    init(_ value: JSONValue) throws(MemberFault) {
        guard value.isObject else { throw MemberFault(.wrongType, value, "be an object") }
        object = value
        absentPath = []
    }

    private init(absentAt path: [JSONValue.Step]) {
        object = nil
        absentPath = path
    }

    /// A member as it is; nil: there is none.
    func value(_ name: String) -> JSONValue? { object?.member(name) }

    /// A member that is only echoed, as it was sent; nil: there is none.
    func text(of name: String) -> JSONText? { value(name).map { JSONText(checked: $0.text) } }

    func contains(_ name: String) -> Bool { value(name) != nil }

    /// Whether a member is null or not there.
    func isNull(_ name: String) -> Bool { value(name)?.isNull ?? true }

    /// The members of an object that may be absent or null: then it has none.
    func object(_ name: String, _ requirement: @autoclosure () -> String) throws(MemberFault) -> Members {
        guard let value = value(name), !value.isNull else { return Members(absentAt: path + [.member(name)]) }
        guard value.isObject else { throw fault(name, .wrongType, requirement()) }
        return try Members(value)
    }

    /// A member that must be there.
    func required<Value: JSONReadable>(
        _ name: String,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(MemberFault) -> Value {
        guard let member = value(name) else { throw fault(name, .missing, requirement()) }
        guard let value = try Value(member) else {
            throw fault(name, member.isBeyond(Value.self) ? .senseless : .wrongType, requirement())
        }
        return value
    }

    /// A member that may be absent or null.
    func optional<Value: JSONReadable>(
        _ name: String,
        as type: Value.Type = Value.self,
        _ requirement: @autoclosure () -> String
    ) throws(MemberFault) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, as: type, requirement())
    }

    /// A member that must be a text of which `make` can make a value.
    func required<Value>(
        _ name: String,
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
        _ name: String,
        _ requirement: @autoclosure () -> String,
        orElse kind: MemberFault.Kind = .senseless,
        from make: (String) -> Value?
    ) throws(MemberFault) -> Value? {
        guard !isNull(name) else { return nil }
        return try required(name, requirement(), orElse: kind, from: make)
    }

    func fault(_ name: String, _ kind: MemberFault.Kind, _ requirement: String) -> MemberFault {
        MemberFault(path: path + [.member(name)], kind: kind, requirement: requirement, found: value(name))
    }

    private var path: [JSONValue.Step] { object?.path ?? absentPath }
}
