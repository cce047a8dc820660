import Foundation
public import HubClient

/// A hub that listens on a socket: a running one, or a child process.
public final class RealHub: Sendable {
    /// The address at which it listens.
    public let address: HubAddress
    private let process: HubProcess?

    /// Creates a reference to a running hub.
    public init(at address: HubAddress) {
        (self.address, process) = (address, nil)
    }

    /// Starts a hub on a free port of this machine, with a folder of its own; it ends with this object.
    ///
    /// - Parameters:
    ///   - program: The path of `callhub`.
    ///   - scenario: The scenario that determines the hub's settings; nil: the defaults.
    /// - Throws: ``HubStartError`` if the hub's folder cannot be written, the program cannot be started, or it ends
    ///   before it listens.
    public init(starting program: String, for scenario: Scenario? = nil) throws(HubStartError) {
        do throws(TestEnvironmentError) {
            let process = try HubProcess(program, scenario?.settings ?? HubOverrides())
            try process.start()
            guard let address = HubAddress("ws://127.0.0.1:\(process.port)/v1") else {
                throw TestEnvironmentError(sentence: "the hub does not print the address that it listens on")
            }
            (self.address, self.process) = (address, process)
        } catch {
            throw HubStartError(sentence: error.sentence)
        }
    }

    deinit { process?.end() }

    /// Kills all hubs that were started here, before the program ends by a signal.
    public static func killAll() { HubProcess.killAll() }

    /// Connects once in order to check that the hub listens.
    ///
    /// - Throws: ``HubStartError`` if the hub cannot be reached, or does not answer within 10 s.
    public func check() throws(HubStartError) {
        let lines = SocketConnections(to: address, on: .shared)
        lines.connect(0)
        defer { lines.close(0) }
        switch lines.events(until: Date(timeIntervalSinceNow: 10)).first?.content {
        case .opened, .message, .sent, .played: return
        case .ended(let why): throw HubStartError(sentence: "\(address) cannot be reached: \(why)")
        case nil: throw HubStartError(sentence: "\(address) does not answer")
        }
    }

    /// Indicates that it is a child process, which may be killed and started.
    public var isChildProcess: Bool { process != nil }

    /// Indicates that it is running; always true for a hub that is no child process.
    var isRunning: Bool { process?.isRunning ?? true }

    /// Returns the unexpected end of a child process, a sentence; nil: there was none, or it is no child process.
    func unexpectedEnd(timeout: Duration) -> String? {
        process?.unexpectedEnd(timeout: timeout).map { "the hub has ended by itself (\($0))" }
    }

    /// Returns the child process; throws ``TestEnvironmentError`` if there is none.
    func own() throws(TestEnvironmentError) -> HubProcess {
        guard let process else { throw TestEnvironmentError(sentence: "this hub is not the scenario's own") }
        return process
    }
}

/// The reason why a hub could not be started or reached.
public struct HubStartError: Error, CustomStringConvertible {
    /// The description, one sentence without a full stop.
    public var sentence: String
    /// The description.
    public var description: String { sentence }
}
