import CommandLineTools
import Foundation
import HubEngine
import HubWire

/// Validates an account name by the rules that the hub applies at sign-in.
func accountName(_ text: String) throws(UsageError) -> String {
    guard (1...maximumAccountNameBytes).contains(text.utf8.count) else {
        throw UsageError("\(quoted(text)) cannot be a name; it must have 1 to \(maximumAccountNameBytes) bytes.")
    }
    guard text.isAccountName, text.unicodeScalars.allSatisfy(isVisible) else {
        let requirement = "it must have no control or invisible characters, nor spaces around it or two in a row"
        throw UsageError("\(quoted(text)) cannot be a name; \(requirement).")
    }
    guard !text.lowercased().hasPrefix("guest-") else {
        throw UsageError("\(quoted(text)) cannot be a name; that prefix is for guests; choose another name.")
    }
    guard BuiltInParty(named: text) == nil else {
        throw UsageError("\(quoted(text)) is a built-in party of the hub; choose another name.")
    }
    return text
}

/// Parses and validates a handle of an account, written as `TYPE:VALUE`.
func accountHandle(_ text: String) throws(UsageError) -> Handle {
    let handle = try Handle(text: text)
    guard (1...maximumHandleBytes).contains(handle.value.utf8.count), handle.value.unicodeScalars.allSatisfy(isVisible)
    else {
        throw UsageError(
            "\(quoted(text)) cannot be a handle; it must be 1 to \(maximumHandleBytes) bytes that can be read."
        )
    }
    switch handle.type {
    case .generic:
        guard BuiltInParty(handle) == nil else {
            throw UsageError("\(quoted(handle.value)) is a built-in party of the hub; choose another handle.")
        }
    case .phoneNumber:
        let isNumber =
            handle.value.wholeMatch(of: /\+?[0-9 ()\-.\/]+/) != nil && handle.value.contains(where: \.isNumber)
        guard isNumber, handle.phoneNumber != nil else {
            let isNational = isNumber && handle.value.first(where: \.isNumber) == "0"
            let fault = isNational ? "has no country code" : "is no telephone number"
            throw UsageError("\(quoted(handle.value)) \(fault); one is like phoneNumber:+493012345.")
        }
    case .emailAddress:
        guard handle.value.wholeMatch(of: /[^@\s]+@[^@\s]+/) != nil else {
            throw UsageError("\(quoted(handle.value)) is no e-mail address; one is like emailAddress:x@example.org.")
        }
    }
    return handle
}

/// The maximum length of a handle in bytes.
private let maximumHandleBytes = 1_024
