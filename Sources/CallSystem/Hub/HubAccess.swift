import Foundation

/// The hub of a call system, and the credentials for it.
public struct HubAccess: Hashable, Sendable {
    /// The address, `ws://host:8080/v1` or `wss://…`.
    public var url: String
    /// The account; nil: the token names it.
    public var account: String?
    /// The password, for hubs with accounts.
    public var password: String?
    /// The file with the token, which is read at each sign-in, so that it may be replaced.
    public var tokenFile: String?
    /// The identifier of the device; nil: the hub makes one.
    public var deviceID: String?
    /// The name of the machine, the same for all of the account's programs that run there; nil: this program is alone.
    ///
    /// Of the calls of one machine at most one is active, as on an iPhone with several apps: it is held, or ended if
    /// that is not possible, when another one begins. The name is the session's `device.focus` at the hub.
    public var machine: String?
    /// The time for which requests wait for a lost connection before they fail.
    ///
    /// Longer: a request succeeds after a longer loss; shorter: an app learns sooner that there is no hub.
    public var requestTimeout = Duration.seconds(30)

    /// Creates the access to a hub.
    ///
    /// - Parameters:
    ///   - url: The address of the hub.
    ///   - account: The account; nil: the token names it.
    public init(url: String, account: String? = nil) {
        (self.url, self.account) = (url, account)
    }

    /// Reads the access from environment variables; nil: they name no hub.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - warn: The receiver of a sentence about variables that do not go together.
    init?(environment: [String: String], _ warn: (String) -> Void) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let url = value("CALLHUB_URL") else {
            let names = ["CALLHUB_ACCOUNT", "CALLHUB_TOKEN_FILE", "CALLHUB_DEVICE", "CALLHUB_MACHINE"]
            let lost = names.first { value($0) != nil }
            if let lost { warn("\(lost) is set and CALLHUB_URL is not: the hub is a simulated one in this process.") }
            return nil
        }
        self.init(url: url, account: value("CALLHUB_ACCOUNT"))
        tokenFile = value("CALLHUB_TOKEN_FILE")
        deviceID = value("CALLHUB_DEVICE")
        machine = value("CALLHUB_MACHINE")
        if let tokenFile, token == nil {
            warn("CALLHUB_TOKEN_FILE: \(tokenFile) cannot be read; it must be a file with a token.")
        } else if account == nil, tokenFile == nil {
            warn("CALLHUB_ACCOUNT is not set; name the account to sign in as, or a token's file in CALLHUB_TOKEN_FILE.")
        }
    }

    /// Reads the token; nil: there is no file, or it cannot be read.
    var token: String? {
        guard let tokenFile, let text = try? String(contentsOfFile: tokenFile, encoding: .utf8) else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
