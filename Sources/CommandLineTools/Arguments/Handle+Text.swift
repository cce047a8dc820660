import Foundation
import HubEngine
import HubWire

extension Handle {
    /// Parses a handle as typed: `bob`, `generic:echo`, `phoneNumber:+493012345`, `emailAddress:x@example.org`.
    ///
    /// Of a link `callhub:HANDLE` or `https://…/#call=HANDLE` the handle is taken; a link of another scheme is refused
    /// (row CK-73).
    package init(text: String) throws(UsageError) {
        var rest = Substring(text)
        if let mark = text.range(of: "#call=") {
            rest = text[mark.upperBound...].prefix { $0 != "&" }
            rest = Substring(rest.removingPercentEncoding ?? String(rest))
        } else if text.lowercased().hasPrefix("callhub:") {
            rest = rest.dropFirst("callhub:".count)
            if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
            rest = Substring(rest.removingPercentEncoding ?? String(rest))
        }
        var type = HandleType.generic
        if let colon = rest.firstIndex(of: ":") {
            let name = rest[..<colon].lowercased()
            guard let known = Self.types[name] else {
                let text = quoted(String(rest))
                throw UsageError(
                    "\(text) is neither a handle, with generic:, phoneNumber: or emailAddress: in front, nor a callhub: link."
                )
            }
            type = known
            rest = rest[rest.index(after: colon)...]
        }
        let value = rest.trimmingCharacters(in: .whitespaces)
        guard !value.isEmpty else {
            throw UsageError("\(quoted(text)) is no handle; it must be like bob or phoneNumber:+493012345.")
        }
        self.init(type: type, value: value)
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

    private static let types: [String: HandleType] = [
        "generic": .generic, "phonenumber": .phoneNumber, "tel": .phoneNumber, "emailaddress": .emailAddress,
        "mailto": .emailAddress,
    ]
}
