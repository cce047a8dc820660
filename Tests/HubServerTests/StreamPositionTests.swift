import Glibc
import HubTestSupport
import Testing

@testable import HubServer

/// The position up to which a stream has been read, from the kernel's counters.
struct StreamPositionTests {
    @Test func `what comes while one looks is not taken for read`() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        try #require(listen(listener, 1) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutableBytes(of: &address) {
            getsockname(listener, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        try #require(named == 0)
        let port = Int(UInt16(bigEndian: address.sin_port))

        // Byte by byte, and less than fits into the memory of any socket: nobody reads it.
        let count: Int32 = 20_000
        nonisolated(unsafe) let writer = try RawSocket(port: port)
        async let writing: Void = blocking { for _ in 0..<count { try writer.send([1]) } }
        let reader = accept(listener, nil, nil)
        defer { close(reader) }
        var wrong: Set<UInt64> = []
        var waiting: Int32 = 0
        while waiting < count {
            try #require(ioctl(reader, UInt(FIONREAD), &waiting) == 0)
            if let taken = StreamPosition.bytesTaken(from: reader), taken != 0 { wrong.insert(taken) }
        }
        try await writing
        #expect(wrong == [])
        #expect(StreamPosition.bytesTaken(from: reader) == 0)
        writer.close()
    }
}
