public import CallSystem
public import Foundation

/// A telephone number: the country code and the digits, as an integer.
public typealias CXCallDirectoryPhoneNumber = Int64

/// The greatest telephone number of a call directory.
public let CXCallDirectoryPhoneNumberMax: CXCallDirectoryPhoneNumber = .max - 1

/// The principal object of an app's call directory extension, which subclasses it.
open class CXCallDirectoryProvider: NSObject {
    /// Creates a provider.
    public override init() {}

    /// Loads the entries of the directory; the system calls it when the directory is to be loaded, never for a call.
    ///
    /// - Parameter context: The receiver of the entries, which is to be completed or cancelled.
    open func beginRequest(with context: CXCallDirectoryExtensionContext) {}
}

extension CallSystem {
    /// Installs an app's call directory extension, as the property list of an app does on an iPhone.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the extension.
    ///   - title: The name that is shown in front of its labels, such as "Acme Caller ID"; nil: as it is.
    ///   - make: The closure that makes its principal object for each load.
    public func installCallDirectory(
        _ identifier: String,
        title: String? = nil,
        _ make: @escaping @Sendable () -> CXCallDirectoryProvider
    ) {
        CXCallDirectoryManager.manager(of: self).install(identifier, title: title, make)
    }
}
