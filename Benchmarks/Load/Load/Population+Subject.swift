import BenchmarkClient
import BenchmarkSupport

extension Population {
    /// Connects two clients for each call to the program under test, and signs them in if it is a hub.
    static func connected(
        _ subject: ProgramUnderTest,
        calls: Int,
        to address: ListeningAddress
    ) throws(BenchmarkError) -> Population {
        switch subject.clients {
        case .accounts:
            let population = try Population(
                calls: calls,
                to: address,
                subprotocol: "callhub.v1",
                tls: subject.tls
            ) { _ in "/v1" }
            var setup = CallSetup(population)
            try setup.signIn()
            return population
        case .pairs:
            return try Population(calls: calls, to: address, subprotocol: nil, tls: subject.tls) { "/pair/\($0)" }
        }
    }

    /// Brings the clients into calls, so that each has an SSRC to send with.
    func enterCalls(_ subject: ProgramUnderTest) throws(BenchmarkError) {
        switch subject.clients {
        case .accounts:
            var setup = CallSetup(self)
            try setup.connect()
        case .pairs:
            for (number, connection) in connections.enumerated() {
                connection.beginAudio(ssrc: UInt32(number + 1))
            }
        }
    }
}
