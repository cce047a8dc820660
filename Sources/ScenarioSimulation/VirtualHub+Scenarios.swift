package import HubServer
package import HubSimulator
package import ScenarioKit

/// The simulated hub in the words of a scenario's run, for all environments in virtual time.
extension VirtualHub {
    /// Processes a message of a connection.
    package func receive(_ message: ConnectionMessage, from connection: ConnectionID) {
        switch message {
        case .text(let bytes): receive(text: bytes, from: connection)
        case .audio(let bytes): receive(audio: bytes, from: connection)
        }
    }

    /// Performs a change of the hub's process.
    package func perform(_ action: HubProcessAction) {
        switch action {
        case .isKilled: kill()
        case .starts: restart()
        case .restarts:
            stop()
            restart()
        case .drains: drain()
        }
    }
}

extension ConnectionEvent.Content {
    /// Converts what the hub has sent, or the end of a connection.
    package init(_ output: VirtualHubOutput.Content) {
        self =
            switch output {
            case .text(let bytes): .message(.text(bytes))
            case .audio(let bytes): .message(.audio(bytes))
            case .closed(let code, let reason):
                .ended("the hub closed the connection (\(code)\(reason.isEmpty ? "" : ": \(reason)"))")
            case .lost: .ended("the connection broke (1006)")
            }
    }

    /// Indicates that the connection has ended.
    package var isEnd: Bool { if case .ended = self { true } else { false } }
}
