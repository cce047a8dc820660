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
    guard handle.value.unicodeScalars.allSatisfy(isVisible) else {
        throw UsageError("\(quoted(text)) cannot be a handle; it must be 1 to 1024 bytes that can be read.")
    }
    if let fault = handle.accountHandleFault {
        throw UsageError("\(quoted(fault.hasPrefix("cannot") ? text : handle.value)) \(fault).")
    }
    return handle
}
