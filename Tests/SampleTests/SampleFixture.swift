import CallSystem
import Foundation
import SampleTerminal

/// A sample app on a device of a simulated hub, with what it prints, and the phones of other people.
@MainActor
final class SampleFixture<App> {
    let hub: SimulatedHub
    let device: CallSystem
    let bob: CallScreen
    let carol: CallScreen
    let app: App
    private let terminal: Terminal
    private let printed: Printed

    /// The lines of a terminal.
    @MainActor
    private final class Printed {
        var lines: [String] = []
    }

    init(_ make: @MainActor (Terminal, SimulatedHub) -> App) async throws {
        let printed = Printed()
        self.printed = printed
        hub = try SimulatedHub()
        device = hub.device("alice")
        let terminal = Terminal { printed.lines.append($0) }
        self.terminal = terminal
        let (hub, device) = (hub, device)
        app = device.run { make(terminal, hub) }
        (bob, carol) = (hub.phone("bob"), hub.phone("carol"))
        await hub.settle()
    }

    /// Types a line, and waits for what it causes.
    func type(_ line: String) async {
        await terminal.perform(line)
        await hub.settle()
    }

    /// The lines that were printed since the last look.
    func takePrinted() -> [String] {
        defer { printed.lines = [] }
        return printed.lines
    }

    /// Waits until the calls on the system's screen are in these states.
    func states(_ states: ScreenCall.State...) async throws {
        try await device.user.wait { $0.map(\.state) == states }
        await hub.settle()
    }
}
