import BenchmarkClient
import BenchmarkSupport

extension HostileRequests.Script {
    /// Paths of `;` and `&`, for each of which the library counts a byte that it never writes.
    ///
    /// Each answer must be the one to a plain path where nothing is, byte for byte.
    static func separators(_ address: ListeningAddress) -> Self {
        var probes: [HTTPProbe] = []
        for method in ["GET", "HEAD"] {
            let plain = HTTPProbe("\(method) /nothing-here HTTP/1.1", .status([404]))
            // From an address that no limit concerns; without the answer every other one is wrong.
            let answer = (try? HTTPExchange.fetch(plain, from: address)) ?? []
            let right: HTTPProbe.Expectation = plain.verdict(on: answer) == .right ? .exactly(answer) : .status([])
            // From about a hundred on the library closes the connection without an answer.
            let runs = [1, 2, 10, 30, 60, 80, 90, 1_000, 7_900].flatMap { count in
                [";", "&", ";&", "a;b&"].map { "/" + String(String(repeating: $0, count: count).prefix(count)) }
            }
            for target in ["/;", "/healthz;", "/healthz&x", "/metrics;a=b", "/v1&"] + runs {
                probes.append(HTTPProbe("\(method) \(target) HTTP/1.1", right))
            }
        }
        return Self(probes: probes)
    }

    /// Combining marks, which take long to compare under Unicode's normalisation, in paths, hosts and origins, raw and
    /// percent-encoded, up to the longest head.
    static var combiningMarks: Self {
        let refused = HTTPProbe.Expectation.status([400, 403, 404, 431])
        var probes: [HTTPProbe] = []
        for count in [2, 120, 510, 1_280, 1_900] {
            let raw = String(repeating: "\u{301}\u{323}", count: count / 2)
            let encoded = String(repeating: "%CC%81%CC%A3", count: count / 2)
            for marks in [raw, encoded] where marks.utf8.count < 7_900 {
                probes.append(HTTPProbe("GET /\(marks) HTTP/1.1", refused))
                probes.append(HTTPProbe("GET /\(marks) HTTP/1.1", headers: HTTPProbe.upgrade([]), refused))
                let origin = ["Origin: http://\(marks)"]
                probes.append(HTTPProbe("GET /v1 HTTP/1.1", headers: HTTPProbe.upgrade(origin), refused))
                let both = marks.utf8.count < 3_800 ? marks : String(repeating: "\u{301}", count: 1_800)
                let headers = HTTPProbe.upgrade(host: both, ["Origin: http://\(both)"])
                probes.append(HTTPProbe("GET /v1 HTTP/1.1", headers: headers, refused))
            }
        }
        return Self(probes: probes)
    }

    /// Requests of a trusted proxy whose clients forge the address that they come from: all are refused with 400.
    static var forgedProxy: Self {
        let headers = HTTPProbe.upgrade(["X-Forwarded-For: 127.0.0.1"])
        let smuggled = (["GET /v1 HTTP/1.1"] + headers + ["", ""]).joined(separator: "\r\n")
        let long = (0..<400).map { "10.0.0.\($0 % 250)" }.joined(separator: ",") + ",203.0.113.9"
        let forged: [[String]] = [
            // The library swallows the line behind a name that is the beginning of one it knows.
            ["X-Forwarded-For: 127.0.0.1", "X-A: 1", "X-Forwarded-For: 203.0.113.9"],
            ["X-Forwarded-For: 127.0.0.1", "X-Forwarded: x", "X-Forwarded-For: 203.0.113.9"],
            ["X-Forwarded-For: 127.0.0.1", "ge: x", "X-Forwarded-For: 203.0.113.9"],
            ["X-Forwarded-For : 203.0.113.9"], ["X-Forwarded-For: 127.0.0.1", " , 203.0.113.9"],
            ["X-Forwarded-For: 127.0.0.1\0"], ["X-Forwarded-For: 203.0.113.9, unknown"],
            ["X-Forwarded-For: 203.0.113.9,"], ["X-Forwarded-For: \(long)"],
            ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http"],
            // Requests that have others behind them: of a body that is one, and of one without a head of its own.
            ["X-Forwarded-For: 203.0.113.9", "Content-Length: \(smuggled.utf8.count)"],
            ["X-Forwarded-For: 203.0.113.9", "Transfer-Encoding: chunked"],
            ["X-Forwarded-For: 203.0.113.9", "Content-Length: 0", "Content-Length: \(smuggled.utf8.count)"],
        ]
        let probes = forged.flatMap { headers in
            [
                HTTPProbe("GET /v1 HTTP/1.1", headers: HTTPProbe.upgrade(headers), behind: smuggled, .status([400])),
                HTTPProbe("GET /healthz HTTP/1.1", headers: ["Host: a"] + headers, behind: smuggled, .status([400])),
                HTTPProbe("GET /metrics HTTP/1.1", headers: ["Host: a"] + headers, .status([400])),
            ]
        }
        return Self(probes: probes, source: AttackSocket.proxySource)
    }
}
