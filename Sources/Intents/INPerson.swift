public import Foundation

/// The kinds of handles of a person.
public enum INPersonHandleType: Int, Sendable {
    /// A handle of another kind, such as a name that an app defines.
    case unknown = 0
    /// An e-mail address.
    case emailAddress = 1
    /// A telephone number.
    case phoneNumber = 2
}

/// The handle of a person.
open class INPersonHandle: NSObject, @unchecked Sendable {
    /// The address itself; nil: unknown.
    public let value: String?
    /// The kind of the handle.
    public let type: INPersonHandleType

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - value: The address itself; nil: unknown.
    ///   - type: The kind of the handle.
    public init(value: String?, type: INPersonHandleType) {
        (self.value, self.type) = (value, type)
    }

    /// Returns true if an object is a handle of the same kind and address.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return other.value == value && other.type == type
    }

    /// A hash value of the address.
    open override var hash: Int { value.hashValue }
}

/// An image of an intent, which is kept and not shown.
open class INImage: NSObject, @unchecked Sendable {}

/// A person of an intent.
open class INPerson: NSObject, @unchecked Sendable {
    /// The handle of the person; nil: unknown.
    public let personHandle: INPersonHandle?
    /// The parts of the person's name; nil: unknown.
    public let nameComponents: PersonNameComponents?
    /// The name of the person to show.
    public let displayName: String
    /// The image of the person; nil: none.
    public let image: INImage?
    /// The identifier of the person's contact; nil: unknown.
    public let contactIdentifier: String?
    /// The app's own identifier of the person; nil: none.
    public let customIdentifier: String?

    /// Creates a person.
    ///
    /// - Parameters:
    ///   - personHandle: The handle of the person.
    ///   - nameComponents: The parts of the name; nil: unknown.
    ///   - displayName: The name to show; nil: that of the handle.
    ///   - image: The image; nil: none.
    ///   - contactIdentifier: The identifier of the contact; nil: unknown.
    ///   - customIdentifier: The app's own identifier; nil: none.
    public init(
        personHandle: INPersonHandle,
        nameComponents: PersonNameComponents?,
        displayName: String?,
        image: INImage?,
        contactIdentifier: String?,
        customIdentifier: String?
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName = displayName ?? personHandle.value ?? ""
        self.image = image
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
    }
}
