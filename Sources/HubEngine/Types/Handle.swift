/// The address of a party: CXHandle.
///
/// Two handles are equal if their types and values are. Handles of one party need not be: `key` compares these.
public struct Handle: Hashable, Sendable {
    /// CXHandle.HandleType with Apple's raw values (callkit-semantics.md 1.6).
    public enum HandleType: Int, Hashable, Sendable, CaseIterable {
        /// A name that the application defines.
        case generic = 1
        /// A telephone number.
        case phoneNumber = 2
        /// An e-mail address.
        case emailAddress = 3
    }

    /// The kind of address.
    public var type: HandleType
    /// The address itself; never empty when it came over the wire (pitfall P17).
    public var value: String

    /// Creates a handle from a type and a value.
    public init(type: HandleType, value: String) {
        self.type = type
        self.value = value
    }

    /// The handle that stands for a party without one: an unknown caller, or a person who does not want to be named.
    package static let anonymous = Handle.generic("anonymous")

    /// Creates a generic handle, as accounts have in `open` mode.
    public static func generic(_ value: String) -> Handle {
        Handle(type: .generic, value: value)
    }
}
