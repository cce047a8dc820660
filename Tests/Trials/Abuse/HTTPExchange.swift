import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One HTTP request on a connection of its own, and its response.
final class HTTPExchange {
    /// Nanoseconds; longer: a slow hub can still answer, and an attacker has more exchanges in progress.
    private static let timeout: UInt64 = 5_000_000_000

    let probe: HTTPProbe
    private let stream: ByteStream
    private let end: UInt64
    private var unsent: ArraySlice<UInt8>
    private var answer: [UInt8] = []

    /// Connects; nil: the hub rejects the connection.
    init?(_ probe: HTTPProbe, to address: ListeningAddress, from source: String, at now: UInt64) {
        do throws(BenchmarkError) {
            stream = try ByteStream(to: address, tls: nil, from: source)
            try stream.stopBlocking()
        } catch {
            return nil
        }
        self.probe = probe
        unsent = probe.bytes[...]
        end = now + Self.timeout
    }

    /// Sends and receives what is possible now.
    ///
    /// - Parameter now: The time, in nanoseconds.
    /// - Returns: The verdict once the connection has ended; else nil.
    func step(_ now: UInt64) -> HTTPProbe.Verdict? {
        if !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                send(stream.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            // A socket that the hub has closed may still hold its answer.
            unsent = count > 0 ? unsent.dropFirst(count) : errno == EAGAIN ? unsent : []
        }
        var piece = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(stream.descriptor, &piece, piece.count, 0), count != 0 {
            if count < 0, errno == EAGAIN { return now < end ? nil : .wrong("no end within 5 s") }
            guard count > 0 else { break }
            answer += piece[..<count]
        }
        return probe.verdict(on: answer)
    }

    /// Sends a request and waits for the end of its answer, up to 10 s between two pieces.
    static func fetch(_ probe: HTTPProbe, from address: ListeningAddress) throws(BenchmarkError) -> [UInt8] {
        let stream = try ByteStream(to: address, tls: nil)
        guard try stream.send(probe.bytes) == probe.bytes.count else { throw .system("sending a request") }
        var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while case let count = recv(stream.descriptor, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
        return answer
    }
}
