public import HubEngine

extension Handle {
    /// The reason for which no account may have the handle, as the end of a sentence about it; nil: an account may.
    ///
    /// Callers have to be able to read it, and it must lead to the account from anywhere.
    public var accountHandleFault: String? {
        guard (1...maximumAccountHandleBytes).contains(value.utf8.count), value.unicodeScalars.allSatisfy(\.isReadable)
        else { return "cannot be a handle; it must be 1 to \(maximumAccountHandleBytes) bytes that can be read" }
        switch type {
        case .generic:
            return BuiltInParty(self) == nil ? nil : "is a built-in party of the hub; choose another handle"
        case .phoneNumber:
            let digits = value.hasPrefix("+") ? value.dropFirst() : value[...]
            let isNumber = digits.allSatisfy { "0123456789 ()-./".contains($0) } && digits.contains(where: \.isNumber)
            guard isNumber, phoneNumber == nil else {
                return isNumber ? nil : "is no telephone number; one is like phoneNumber:+493012345"
            }
            let isNational = value.first(where: \.isNumber) == "0"
            let fault = isNational ? "has no country code" : "is no telephone number"
            return "\(fault); one is like phoneNumber:+493012345"
        case .emailAddress:
            let parts = value.split(separator: "@", omittingEmptySubsequences: false)
            let isPair = parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            let isAddress = isPair && !value.contains(where: \.isWhitespace)
            return isAddress ? nil : "is no e-mail address; one is like emailAddress:x@example.org"
        }
    }
}

/// The maximum length of an account's handle in bytes.
///
/// More: longer addresses; fewer of them fit into a page of a list.
private let maximumAccountHandleBytes = 1_024
