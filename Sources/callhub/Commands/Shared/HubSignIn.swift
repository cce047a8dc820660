import Foundation
import HubClient

/// How a command signs in to a hub: by a password, by a token, or by a name alone.
struct HubSignIn {
    var access: HubAccess
    /// A token that may be replaced while the program runs.
    var tokenFile: TokenFile?
    /// Whether the password is the first line of standard input.
    var takesPassword: Bool

    static let tokenFile = Option(
        "--token-file",
        value: "FILE",
        help: "take the token from this file ($CALLHUB_TOKEN without it), anew at each sign-in"
    )
    static let passwordFromInput = Option(
        "--password-stdin",
        help: "take the password from the first line of standard input ($CALLHUB_PASSWORD without it)"
    )
    static let options = [passwordFromInput, tokenFile, HubAccess.ca, HubAccess.insecure]

    /// Reads the command line.
    init(_ given: Arguments, environment: [String: String]) throws(UsageError) {
        access = HubAccess(given, environment: environment)
        takesPassword = given.has(Self.passwordFromInput)
        guard let file = given[Self.tokenFile] else { return }
        guard !takesPassword else {
            throw UsageError("--password-stdin and --token-file exclude each other; say one of them.")
        }
        tokenFile = try TokenFile(file)
    }

    /// Whether a token may name the account.
    var hasToken: Bool { tokenFile != nil || (access.token != nil && !takesPassword) }

    /// Connects and signs in; who is asked for a password and has a terminal types it.
    ///
    /// - Parameters:
    ///   - account: The name; nil: the token names it.
    ///   - options: What else the client is.
    ///   - asks: Whether standard input is free for a question.
    /// - Returns: A client that is signed in.
    /// - Throws: `CommandFailure`: 1 where the command line is to blame, 2 where there is no hub or it does not want us.
    func connect(
        as account: String?,
        _ options: ClientOptions,
        asks: Bool = true
    ) async throws(CommandFailure) -> HubClient {
        var options = options
        if let tokenFile {
            (options.token, options.password) = (nil, nil)
            options.freshToken = { tokenFile.token }
        }
        if takesPassword { (options.token, options.password) = (nil, try PasswordInput.line()) }
        do throws(HubClientError) {
            return try await HubClient.connect(to: access.url, account: account, options: options)
        } catch {
            guard error.isForCredentials, asks, Terminal.isThere, account != nil, !hasToken, !takesPassword else {
                throw CommandFailure(error, as: account, options.permissions)
            }
        }
        options.password = try Terminal.secrets(["Password of \(visible(account ?? "")): "]).first
        do throws(HubClientError) {
            return try await HubClient.connect(to: access.url, account: account, options: options)
        } catch {
            throw CommandFailure(error, as: account, options.permissions)
        }
    }
}

/// A file with a token in it, read anew each time: whoever replaces it signs its reader in for longer.
struct TokenFile: Sendable {
    let path: String

    /// Takes a file that has a token now.
    init(_ path: String) throws(UsageError) {
        self.path = path
        guard token != nil else {
            throw UsageError("--token-file is \(quoted(path)); it must be a file with a token that this user may read.")
        }
    }

    /// What is in it now; nil: nothing, or it cannot be read at the moment.
    var token: String? {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }
}

extension HubClientError {
    /// Whether the hub asks for a password or a token, and was shown neither.
    fileprivate var isForCredentials: Bool {
        if case .signInRefused(let refusal) = self { refusal.code == .credentialsMissing } else { false }
    }
}

extension CommandFailure {
    /// Why there is no client.
    fileprivate init(_ error: HubClientError, as account: String?, _ permissions: [Permission]) {
        switch error {
        case .signInRefused(let refusal) where refusal.code == .notAllowed && permissions.contains(.admin):
            let who = account.map { quoted($0) } ?? "this token"
            let way = account.map { "`callhub account admin \(visible($0)) on` lets it" } ?? "it must say so"
            self.init(2, "\(who) may not administer this hub; \(way).")
        case .invalidAddress:
            self.init(1, error.description)
        case .signInRefused(let refusal) where refusal.code == .credentialsMissing:
            let ways = "give a password by --password-stdin, or a token by --token-file FILE"
            self.init(2, "the hub wants to know who \(account.map { quoted($0) } ?? "this") is; \(ways).")
        case .signInRefused(let refusal):
            self.init(2, "the hub does not let \(account.map { quoted($0) } ?? "this token") in: \(refusal.message).")
        default:
            self.init(2, error.description)
        }
    }
}
