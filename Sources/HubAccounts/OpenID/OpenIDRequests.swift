import Foundation
import HTTPClient
import HubConfiguration

/// The requests of one sign-in to its provider, which share a connection and a time limit; for one thread.
final class OpenIDRequests {
    private let client: HTTPClient
    private let settings: OpenIDSettings
    private let end: ContinuousClock.Instant
    private let isWanted: () -> Bool

    /// Prepares the requests.
    ///
    /// - Parameters:
    ///   - settings: The settings of the provider.
    ///   - limit: The time for all requests together.
    ///   - isWanted: False once nobody waits for them.
    /// - Throws: ``OpenIDFault`` if libcurl cannot be used.
    init(
        _ settings: OpenIDSettings,
        within limit: Duration,
        while isWanted: @escaping () -> Bool
    ) throws(OpenIDFault) {
        guard let client = HTTPClient() else { throw .unreachable("libcurl cannot be prepared") }
        (self.client, self.settings, self.isWanted) = (client, settings, isWanted)
        end = .now + limit
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - headers: Header lines.
    ///   - limit: The longest document in bytes.
    /// - Returns: The document.
    /// - Throws: ``OpenIDFault`` if there is none.
    func document(_ url: String, headers: [String] = [], atMost limit: Int) throws(OpenIDFault) -> [UInt8] {
        let (status, body) = try response(.get, url, headers: headers, atMost: limit)
        guard status == 200 else { throw .badAnswer("\(Self.place(url)) answers with HTTP \(status)") }
        return body
    }

    /// Sends a form.
    ///
    /// - Parameters:
    ///   - form: The members with their values.
    ///   - url: The address.
    ///   - headers: Header lines.
    ///   - limit: The longest response in bytes.
    /// - Returns: The status and the content of the response.
    /// - Throws: ``OpenIDFault`` if there is none.
    func post(
        _ form: [(String, String)],
        to url: String,
        headers: [String],
        atMost limit: Int
    ) throws(OpenIDFault) -> (status: Int, body: [UInt8]) {
        let type = "Content-Type: application/x-www-form-urlencoded"
        return try response(.post(Array(Self.encoded(form).utf8)), url, headers: headers + [type], atMost: limit)
    }

    private func response(
        _ method: HTTPClientRequest.Method,
        _ url: String,
        headers: [String],
        atMost limit: Int
    ) throws(OpenIDFault) -> (status: Int, body: [UInt8]) {
        let left = Int((end - .now) / .milliseconds(1))
        guard left > 0 else { throw .unreachable("\(Self.place(url)): no time is left") }
        var request = HTTPClientRequest(
            method,
            url,
            headers: ["User-Agent: CallHub", "Accept: application/json", "Expect:"] + headers,
            maximumBodyBytes: limit,
            milliseconds: left
        )
        request.authorityFile = settings.certificateAuthority
        request.allowsPlainHTTP = settings.allowsPlainHTTP
        do throws(HTTPClientError) {
            guard let response = try client.response(to: request, while: isWanted) else {
                throw .unreachable("the sign-in was given up")
            }
            return (response.status, response.body)
        } catch {
            switch error {
            case .tooLong: throw .badAnswer("\(Self.place(url)) sends more than \(limit) bytes")
            case .notSent: throw .unreachable("\(Self.place(url)): the request cannot be made")
            case .hostNotFound: throw .unreachable("\(Self.place(url)): the host is unknown")
            case .certificateExpired:
                let reason = "its certificate is not valid now; is this machine's clock right?"
                throw .unreachable("\(Self.place(url)): \(reason)")
            case .untrusted(let reason), .unreachable(let reason): throw .unreachable("\(Self.place(url)): \(reason)")
            }
        }
    }

    /// A URL without its query, for the log.
    private static func place(_ url: String) -> String { String(url.prefix { $0 != "?" }.prefix(200)) }

    /// Encodes a form, or the parameters of a query.
    static func encoded(_ form: [(String, String)]) -> String {
        form.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    /// Encodes all but the unreserved characters of RFC 3986.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
