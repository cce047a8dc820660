import CallSystem
import Foundation
import HubWire

/// The errors that an app's commands throw, in the words of reports and scenarios.
enum AppError {
    /// Returns the reason in one sentence.
    static func sentence(for error: any Error) -> String {
        let other = error as NSError
        return other.userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
    }

    /// Returns the name of an error in scenarios, such as `maximumCallGroupsReached`; nil: it is none of CallKit's.
    static func name(of error: any Error) -> String? {
        let (domain, code): (String, Int)
        if let error = error as? CallSystemError {
            (domain, code) = (error.domain.identifier, error.code)
        } else {
            let error = error as NSError
            (domain, code) = (error.domain, error.code)
        }
        return ErrorCode.known.first { $0.domain?.identifier == domain && $0.domainCode == code }?.name
    }
}
