import CCurl
import CommandLineTools
import Foundation
import HubWire

/// `callhub health`: asks a running hub for its health, for containers and monitoring without an HTTP client.
package enum HealthCommand {
    /// Runs the command; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        await Command.run("health", arguments, options: [], usage: usage) { given in
            let words = try given.words("URL", optional: 1, after: "health")
            let url = try address(words.first ?? standard)
            let (result, status) = try ask(url)
            guard result == CURLE_OK else {
                throw CommandFailure(2, "\(url) does not answer: \(String(cString: curl_easy_strerror(result))).")
            }
            guard status == 200 else { throw CommandFailure(2, "\(url) answers with HTTP status \(status), not 200.") }
            try Command.print("\(url) answers.\n")
        }
    }

    /// The address of the hub's state, from that of its page.
    static func address(_ text: String) throws(UsageError) -> String {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
        else {
            throw UsageError("\(quoted(text)) is no URL of a hub's page; it must be like http://localhost:8080.")
        }
        return text + (text.hasSuffix("/") ? "" : "/") + "healthz"
    }

    /// Sends the request.
    private static func ask(_ url: String) throws(CommandFailure) -> (result: CURLcode, status: Int) {
        guard hub_curl_prepare() == CURLE_OK, let transfer = curl_easy_init() else {
            throw CommandFailure(2, "libcurl cannot be used.")
        }
        defer { curl_easy_cleanup(transfer) }
        let result = hub_curl_prepare_local_get(transfer, url, 5_000)
        guard result == CURLE_OK else { return (result, 0) }
        return (curl_easy_perform(transfer), hub_curl_status(transfer))
    }

    private static let standard = "http://localhost:8080"

    private static let usage = """
        Usage: callhub health [URL]

        Asks a running hub whether it answers: GET /healthz, for five seconds at most. URL is that of its page, default
        \(standard). The certificate of an https URL is not checked, since only a status is asked for.

        \(Arguments.table([Command.help]))
        Exit codes: 0 it answers; 1 invalid command line; 2 it does not answer, or with another status than 200.

        Example:
          callhub health https://localhost:8443

        """
}
