import CallSystem
import Foundation
import HubWire

extension CallSystemError {
    /// The error of CallKit's with the same domain and code; the sentence is its debug description.
    var callKitError: any Error {
        let error = NSError(
            domain: domain.identifier,
            code: code,
            userInfo: [NSDebugDescriptionErrorKey: message]
        )
        switch domain {
        case .general: return CXError(_nsError: error)
        case .incomingCall: return CXErrorCodeIncomingCallError(_nsError: error)
        case .requestTransaction: return CXErrorCodeRequestTransactionError(_nsError: error)
        case .callDirectory: return CXErrorCodeCallDirectoryManagerError(_nsError: error)
        }
    }
}
