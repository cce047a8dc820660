import HubEngine
import HubWire

extension Handle {
    /// Parses a handle as typed: `bob`, `generic:echo`, `phoneNumber:+493012345`, `emailAddress:x@example.org`.
    ///
    /// Of a link `callhub:HANDLE` or `https://…/#call=HANDLE` the handle is taken; a link of another scheme is refused
    /// (row CK-73).
    package init(text: String) throws(UsageError) {
        do throws(HandleTextError) {
            self = try Handle(typed: text)
        } catch {
            switch error {
            case .unknownType(let rest):
                let types = "generic:, phoneNumber: or emailAddress:"
                throw UsageError("\(quoted(rest)) is neither a handle, with \(types) in front, nor a callhub: link.")
            case .empty:
                throw UsageError("\(quoted(text)) is no handle; it must be like bob or phoneNumber:+493012345.")
            }
        }
    }

    /// The handle as people type it.
    package var text: String {
        switch type {
        case .generic: value.contains(":") ? "generic:\(value)" : value
        case .phoneNumber: "phoneNumber:\(value)"
        case .emailAddress: "emailAddress:\(value)"
        }
    }

    /// The handle with its type in front, in the form that the account commands accept.
    package var typedText: String {
        switch type {
        case .generic: "generic:\(value)"
        case .phoneNumber: "phoneNumber:\(value)"
        case .emailAddress: "emailAddress:\(value)"
        }
    }
}
