import HubEngine

/// A way to reach a participant of a conversation, such as a telephone number or an e-mail address.
public struct Handle: Hashable, Codable, Sendable {
    /// The kinds of handles.
    public enum Kind: Int, Hashable, Codable, Sendable {
        /// A name that the app defines.
        case generic
        /// A telephone number.
        case phoneNumber
        /// An e-mail address.
        case emailAddress
    }

    /// The kind of the handle.
    public var type: Kind
    /// The address itself.
    public var value: String
    /// The name to show for the participant.
    public var displayName: String

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - type: The kind of the handle.
    ///   - value: The address itself.
    ///   - displayName: The name to show for the participant; nil: the address.
    public init(type: Kind, value: String, displayName: String? = nil) {
        (self.type, self.value, self.displayName) = (type, value, displayName ?? value)
    }
}

extension Handle {
    /// Converts a handle of the hub.
    init(_ handle: HubEngine.Handle) {
        self.init(type: Kind(handle.type), value: handle.value)
    }

    /// The handle as the hub knows it, without the name.
    var engineHandle: HubEngine.Handle { HubEngine.Handle(type: type.engineType, value: value) }
}

extension Handle.Kind {
    fileprivate init(_ type: HubEngine.Handle.HandleType) {
        switch type {
        case .phoneNumber: self = .phoneNumber
        case .emailAddress: self = .emailAddress
        default: self = .generic
        }
    }

    var engineType: HubEngine.Handle.HandleType {
        switch self {
        case .generic: .generic
        case .phoneNumber: .phoneNumber
        case .emailAddress: .emailAddress
        }
    }
}
