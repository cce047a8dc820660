public import Foundation

/// The address of a party of a call: a telephone number, an e-mail address, or a name of the app's own.
///
/// Two handles are equal if their types and values are.
open class CXHandle: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The types of handles.
    public enum HandleType: Int, Sendable {
        /// A name, an identifier or an address that the app defines.
        case generic = 1
        /// A telephone number.
        case phoneNumber = 2
        /// An e-mail address.
        case emailAddress = 3
    }

    /// The type of the handle.
    public let type: HandleType
    /// The address itself.
    public let value: String

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - type: The type of the handle.
    ///   - value: The address itself.
    public init(type: HandleType, value: String) {
        (self.type, self.value) = (type, value)
    }

    /// Creates a handle from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        guard let type = HandleType(rawValue: coder.decodeInteger(forKey: "type")),
            let value = coder.decodeObject(of: NSString.self, forKey: "value")
        else { return nil }
        (self.type, self.value) = (type, value as String)
    }

    /// Indicates that handles can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the handle to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(value as NSString, forKey: "value")
    }

    /// Returns the handle itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns true if a handle has the same type and value.
    ///
    /// - Parameter handle: The handle to compare with.
    /// - Returns: True if they are equal.
    open func isEqual(to handle: CXHandle) -> Bool { type == handle.type && value == handle.value }

    /// Returns true if an object is a handle with the same type and value.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CXHandle).map(isEqual(to:)) ?? false }

    /// A hash value of the type and the value.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(value)
        return hasher.finalize()
    }

    /// The type and the value.
    open override var description: String { "<CXHandle \(type) \(value)>" }
}
