package import CommandLineTools
import Foundation
package import HubClient
import HubWire

/// The credentials of a command at a hub: a password, a token, or an account's name alone.
package struct HubCredentials {
    package var access: HubAccess
    /// The file with a token that may be replaced while the program runs.
    package var tokenFile: TokenFile?
    /// Indicates that the password is the first line of standard input.
    package var readsPassword: Bool

    package static let tokenFile = Option(
        "--token-file",
        value: "FILE",
        help: "read the token from this file at each sign-in; default: $CALLHUB_TOKEN"
    )
    package static let passwordFromInput = Option(
        "--password-stdin",
        help: "read the password from the first line of standard input; default: $CALLHUB_PASSWORD"
    )
    package static let options = [passwordFromInput, tokenFile, HubAccess.ca, HubAccess.insecure]

    /// Reads the command line and the environment; throws if two kinds of credentials are given.
    package init(_ given: Arguments, environment: [String: String]) throws(UsageError) {
        access = HubAccess(given, environment: environment)
        readsPassword = given.has(Self.passwordFromInput)
        guard let file = given[Self.tokenFile] else { return }
        guard !readsPassword else {
            throw UsageError("--password-stdin and --token-file exclude each other; give one of them.")
        }
        tokenFile = try TokenFile(file)
    }

    /// Indicates that a token is given, which may name the account.
    package var hasToken: Bool { tokenFile != nil || (access.token != nil && !readsPassword) }

    /// Connects and signs in; asks for a password on the terminal if the hub requires one and none was given.
    ///
    /// - Parameters:
    ///   - account: The account's name; nil: the token names it.
    ///   - options: The other options of the client.
    ///   - mayAsk: True if standard input may be used to ask for a password.
    /// - Returns: The client after its sign-in.
    /// - Throws: `CommandFailure` with exit code 1 for an invalid command line, 2 if the hub cannot be reached or
    ///   refuses.
    package func connect(
        as account: String?,
        _ options: ClientOptions,
        mayAsk: Bool = true
    ) async throws(CommandFailure) -> HubClient {
        var options = options
        if let tokenFile {
            (options.token, options.password) = (nil, nil)
            options.tokenProvider = { tokenFile.token }
        }
        if readsPassword { (options.token, options.password) = (nil, try PasswordInput.line()) }
        do throws(HubClientError) {
            return try await HubClient.connect(to: access.url, account: account, options: options)
        } catch {
            guard error.requiresCredentials, mayAsk, Terminal.isInteractive, account != nil, !hasToken, !readsPassword
            else {
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

/// A file with a token, read at each sign-in, so that a replaced token takes effect while the program runs.
package struct TokenFile: Sendable {
    let path: String

    /// Takes the path of a file; throws unless it has a token now.
    init(_ path: String) throws(UsageError) {
        self.path = path
        guard token != nil else {
            throw UsageError("--token-file is \(quoted(path)); it must be a readable file with a token.")
        }
    }

    /// The file's content without white space around it; nil: it is empty or cannot be read at the moment.
    var token: String? {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }
}

extension HubClientError {
    /// Indicates that the hub requires a password or a token, and was given neither.
    fileprivate var requiresCredentials: Bool {
        if case .signInRefused(let refusal) = self { refusal.code == .credentialsMissing } else { false }
    }
}

extension CommandFailure {
    /// Turns the error of a sign-in into the failure of a command.
    fileprivate init(_ error: HubClientError, as account: String?, _ permissions: [Permission]) {
        switch error {
        case .signInRefused(let refusal) where refusal.code == .notAllowed && permissions.contains(.admin):
            let who = account.map { quoted($0) } ?? "this token"
            let way =
                account.map { "`callhub account admin \(visible($0)) on` lets it" }
                ?? "its claim callhub needs the permission admin"
            self.init(2, "\(who) may not administer this hub; \(way).")
        case .invalidAddress:
            self.init(1, error.description)
        case .signInRefused(let refusal) where refusal.code == .credentialsMissing:
            let ways = "give a password by --password-stdin, or a token by --token-file FILE"
            self.init(2, "the hub requires credentials\(account.map { " of " + quoted($0) } ?? ""); \(ways).")
        case .signInRefused(let refusal):
            // Some of the hub's messages are sentences, others are parts of one.
            let message = refusal.message.hasSuffix(".") ? refusal.message : refusal.message + "."
            self.init(2, "the hub refuses \(account.map { quoted($0) } ?? "this token"): \(message)")
        default:
            self.init(2, error.description)
        }
    }
}
