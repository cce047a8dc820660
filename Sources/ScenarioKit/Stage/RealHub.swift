import Foundation
public import HubClient

/// A hub that listens somewhere: one that runs already, or a process of one's own.
public final class RealHub: Sendable {
    /// Where it listens.
    public let address: HubAddress
    private let process: HubProcess?

    /// A hub that runs already.
    public init(at address: HubAddress) {
        (self.address, process) = (address, nil)
    }

    /// Starts a hub on a free port of this machine, with a folder of its own; it ends with this object.
    ///
    /// - Parameters:
    ///   - program: The path of `callhub`.
    ///   - scenario: Whose settings it gets; nil: the defaults.
    /// - Throws: ``HubStartFault``.
    public init(starting program: String, for scenario: Scenario? = nil) throws(HubStartFault) {
        do throws(StageFault) {
            let process = try HubProcess(program, scenario?.settings ?? HubWishes())
            try process.start()
            guard let address = HubAddress("ws://127.0.0.1:\(process.port)/v1") else {
                throw StageFault(sentence: "the hub does not say where it listens")
            }
            (self.address, self.process) = (address, process)
        } catch {
            throw HubStartFault(sentence: error.sentence)
        }
    }

    deinit { process?.end() }

    /// Ends all hubs that were started here, for a program that is about to end by a signal.
    public static func endAll() { HubProcess.endAll() }

    /// Connects once, to see whether somebody listens.
    ///
    /// - Throws: ``HubStartFault`` where nobody does.
    public func check() throws(HubStartFault) {
        let lines = SocketLines(to: address, on: .shared)
        lines.connect(0)
        defer { lines.close(0) }
        switch lines.happenings(until: Date(timeIntervalSinceNow: 10)).first?.content {
        case .opened, .message: return
        case .ended(let why): throw HubStartFault(sentence: "\(address) cannot be reached: \(why)")
        case nil: throw HubStartFault(sentence: "\(address) does not answer")
        }
    }

    /// Whether it may be killed and started.
    public var isOwn: Bool { process != nil }

    /// Whether it runs, as far as anybody can tell.
    var isThere: Bool { process?.isRunning ?? true }

    /// How it has ended though nobody asked for that, a sentence; nil: it has not, or it is not one's own.
    func unaskedEnd(patience: Duration) -> String? {
        process?.unaskedEnd(patience: patience).map { "the hub has ended by itself (\($0))" }
    }

    /// The process, which may be killed and started.
    func own() throws(StageFault) -> HubProcess {
        guard let process else { throw StageFault(sentence: "this hub is not the scenario's own") }
        return process
    }
}

/// Why a hub could not be started.
public struct HubStartFault: Error, CustomStringConvertible {
    /// One sentence without a stop at its end.
    public var sentence: String
    /// The sentence.
    public var description: String { sentence }
}
