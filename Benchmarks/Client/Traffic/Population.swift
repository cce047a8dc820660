package import BenchmarkSupport

/// The clients of a run: the caller of call i has the index 2i, its callee 2i + 1.
package final class Population {
    /// All connections.
    package let connections: [Connection]
    private let poller: Poller
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    /// Connects two clients for each call; `path` returns the URL's path for the call of that number.
    package init(
        calls: Int,
        to address: ListeningAddress,
        subprotocol: String?,
        receiveBuffer: (Int) -> Int? = { _ in nil },
        tls: TLSClient? = nil,
        path: (Int) -> String
    ) throws(BenchmarkError) {
        let poller = try Poller()
        var connections: [Connection] = []
        for number in 0..<(2 * calls) {
            connections.append(
                try Connection(
                    to: address,
                    path: path(number / 2),
                    subprotocol: subprotocol,
                    number: number,
                    peer: number ^ 1,
                    poller: poller,
                    tls: tls,
                    receiveBuffer: receiveBuffer(number)
                )
            )
        }
        self.poller = poller
        self.connections = connections
    }

    /// Stops or resumes receiving from a connection.
    package func setReceiving(_ isReceiving: Bool, from number: Int) throws(BenchmarkError) {
        if isReceiving {
            try poller.add(connections[number].descriptor, number: number)
        } else {
            try poller.remove(connections[number].descriptor)
        }
    }

    deinit {
        buffer.deallocate()
    }

    /// Waits at most `nanoseconds` and passes received messages to `deliver`, with the index of the connection.
    package func receive(
        nanoseconds: UInt64,
        deliver: (Int, Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        try poller.wait(nanoseconds: nanoseconds) { number throws(BenchmarkError) in
            try connections[number].receive(into: buffer) { opcode, payload throws(BenchmarkError) in
                try deliver(number, opcode, payload)
            }
        }
    }

    /// Receives until that time, in nanoseconds of the monotonic clock.
    package func receive(
        until deadline: UInt64,
        deliver: (Int, Opcode, UnsafeRawBufferPointer) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        while true {
            let now = monotonicNanoseconds()
            guard now < deadline else {
                return
            }
            try receive(nanoseconds: deadline - now, deliver: deliver)
        }
    }
}
