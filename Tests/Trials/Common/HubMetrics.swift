import BenchmarkClient
import BenchmarkSupport
import Foundation

/// The values of the hub's metrics at one moment.
struct HubMetrics {
    private var values: [Substring: Double] = [:]

    /// Fetches and parses the metrics page.
    init(of address: ListeningAddress) throws(BenchmarkError) {
        let page = try HTTPPage.get("/metrics", from: address)
        for line in page.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[line[..<space]] = value
        }
    }

    /// The value of a metric with its labels, or the sum over all labels for a bare name; 0 if there is none.
    subscript(name: String) -> Int { values[name[...]].map { Int($0) } ?? sum(name) }

    /// Returns the sum over all labels.
    func sum(_ name: String) -> Int {
        Int(values.filter { $0.key == name || $0.key.hasPrefix(name + "{") }.values.reduce(0, +))
    }

    /// Returns the values by the metric's first label.
    func byLabel(_ name: String) -> [String: Int] {
        var found: [String: Int] = [:]
        for (key, value) in values where key.hasPrefix(name + "{") {
            let parts = key.split(separator: "\"")
            if parts.count > 1 { found[String(parts[1])] = Int(value) }
        }
        return found
    }

    /// Returns the number of packets dropped for a reason.
    func dropped(_ reason: String) -> Int { self["callhub_audio_packets_dropped_total{reason=\"\(reason)\"}"] }
}

/// A minimal HTTP client for one page.
enum HTTPPage {
    /// Returns the body of the response.
    static func get(_ path: String, from address: ListeningAddress) throws(BenchmarkError) -> String {
        let stream = try ByteStream(to: address, tls: nil)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(address.host)\r\nConnection: close\r\n\r\n".utf8)
        guard try stream.send(request) == request.count else { throw .system("asking the hub for \(path)") }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(stream.descriptor, &piece, piece.count, 0), count > 0 { bytes += piece[..<count] }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 200"), let end = text.range(of: "\r\n\r\n") else {
            throw BenchmarkError("the hub did not give \(path): \(text.prefix(100))")
        }
        return String(text[end.upperBound...])
    }
}
