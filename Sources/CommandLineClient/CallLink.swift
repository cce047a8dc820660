package import CommandLineTools
import Foundation
import HubClient
package import HubEngine
import HubWire

/// A link by which anyone who has it may call one handle: `https://hub.example.com/#call=bob&token=…`.
///
/// Browsers do not send the part after the `#`, so that the token is in no server's log.
package struct CallLink: Equatable {
    /// The URL of the hub's web page.
    package let page: String
    package let callee: Handle
    package let token: String

    package init(page: String, callee: Handle, token: String) {
        (self.page, self.callee, self.token) = (page, callee, token)
    }

    /// Parses a link as `callhub link create` prints it.
    package init(text: String) throws(UsageError) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var members: [String: String] = [:]
        for member in parts.dropFirst().joined().split(separator: "&") {
            let pair = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if pair.count == 2 { members[pair[0]] = pair[1].removingPercentEncoding }
        }
        guard let page = parts.first, Self.isPage(page), let call = members["call"], let token = members["token"],
            !token.isEmpty
        else {
            let form = "https://hub.example.com/#call=HANDLE&token=TOKEN"
            throw UsageError("--link is \(quoted(text)); it must be a link of `callhub link create`, \(form).")
        }
        self.init(page: page, callee: try Handle(text: call), token: token)
    }

    /// The link's text.
    package var text: String {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@:")
        let handle = callee.text.addingPercentEncoding(withAllowedCharacters: allowed) ?? callee.text
        return "\(page)\(page.hasSuffix("/") ? "" : "/")#call=\(handle)&token=\(token)"
    }

    /// The hub's URL.
    package var hub: String {
        guard let tail = page.firstRange(of: "://").map({ page[$0.upperBound...] }) else { return page }
        // The endpoint of a hub with a path prefix is below that prefix.
        let path = tail.drop { $0 != "/" }
        return path.isEmpty || path == "/" ? page : page + (page.hasSuffix("/") ? "v1" : "/v1")
    }

    /// Indicates that a text is the URL of a web page that a hub may serve.
    package static func isPage(_ text: String) -> Bool {
        let isWeb = text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://")
        return isWeb && !text.contains { $0 == "#" || $0 == "?" } && HubAddress(text) != nil
    }
}
