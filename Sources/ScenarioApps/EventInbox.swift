import CallSystem
import HubEngine
import HubSimulator
import HubWire
import ScenarioKit
import ScenarioSimulation

/// The events of a run's connections and of its apps' devices, in one order; safe on any thread.
final class EventInbox: Sendable {
    private let events = Locked<[ConnectionEvent]>([])

    /// Adds a message to a connection of the run, or its end.
    func add(_ message: VirtualHubOutput, of connection: Int) {
        add(ConnectionEvent.Content(message.content), connection, message.at.since(VirtualHub.start))
    }

    /// Adds an event of an app's device.
    func add(_ event: SimulatedLinkEvent, of connection: Int, at hub: SimulatedHub) {
        let now = hub.instant.since(VirtualHub.start)
        switch event {
        case .opened: add(.opened, connection, now)
        case .sent(let request, let bytes): add(.sent(request, bytes), connection, now)
        case .received(let message): add(message, of: connection)
        case .cut: add(.ended("the link is cut"), connection, now)
        }
    }

    /// Adds an event.
    func add(_ content: ConnectionEvent.Content, _ connection: Int, _ at: Duration) {
        events.withLock { $0.append(ConnectionEvent(connection: connection, at: at, content: content)) }
    }

    /// Removes the events of a connection, which is over.
    func forget(_ connection: Int) {
        events.withLock { $0.removeAll { $0.connection == connection } }
    }

    /// Indicates that there are no events.
    var isEmpty: Bool { events.withLock(\.isEmpty) }

    /// Removes and returns all events.
    func take() -> [ConnectionEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
