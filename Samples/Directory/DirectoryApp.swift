import CallKit
import CallSystem
import Foundation
import SampleTerminal

/// The app, with commands in place of buttons.
@MainActor
final class DirectoryApp: NSObject {
    let terminal: Terminal
    private let system = CallSystem.current
    private let manager = CXCallDirectoryManager.sharedInstance
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    /// The number behind the last one of the list.
    private var end = LargeDirectory.first

    init(_ terminal: Terminal) {
        self.terminal = terminal
        super.init()
        provider.setDelegate(self, queue: nil)
        addCommands()
        terminal.addScreen(of: system)
    }

    private func addCommands() {
        terminal.add("full", "COUNT", "loads a whole list: even numbers are blocked, odd ones labelled") {
            [unowned self] words in
            let count = try count(words[0])
            try await load(.full(count))
            end = LargeDirectory.first + Int64(count)
        }
        terminal.add("incremental", "COUNT [NUMBER...]", "adds to the list, and removes some numbers") {
            [unowned self] words in
            let count = try count(words[0])
            let add = end...(end + Int64(max(count, 1)) - 1)
            try await load(.incremental(add: add, remove: words.dropFirst().compactMap { Int64($0) }))
            end = add.upperBound + 1
        }
        let faults = LargeDirectory.Fault.allCases.map(\.rawValue).joined(separator: ", ")
        terminal.add("fault", "NAME", "loads a list with a fault: \(faults)") { [unowned self] words in
            guard let fault = LargeDirectory.Fault(rawValue: words[0]) else {
                throw TerminalError("There is no fault \(words[0]), but \(faults).")
            }
            try await load(.fault(fault))
        }
        terminal.add("unknown", "", "loads a directory that is not installed") { [unowned self] _ in
            try await reload("com.example.unknown")
        }
        terminal.add("twice", "COUNT", "loads a list while it is being loaded") { [unowned self] words in
            let count = try count(words[0])
            let (begun, began) = AsyncStream.makeStream(of: Void.self)
            let (end, pending) = AsyncStream.makeStream(of: Void.self)
            let load = Task {
                defer { began.finish() }
                try await self.load(.late(count, began: began, after: end))
            }
            for await _ in begun {}
            do {
                try await reload(LargeDirectory.identifier)
            } catch {
                terminal.print("error: \(error)")
            }
            pending.finish()
            try await load.value
        }
        terminal.add("status", "", "says whether the user has enabled the directory") { [unowned self] _ in
            let status = try await manager.enabledStatusForExtension(withIdentifier: LargeDirectory.identifier)
            terminal.print("status: \(status)")
        }
        terminal.add("ring", "NUMBER", "has somebody call") { [unowned self] words in
            await ring(words[0])
        }
    }

    private func count(_ word: String) throws -> Int {
        if let count = Int(word), (0...10_000_000).contains(count) { return count }
        throw TerminalError("\(word) is no number of entries; type one from 0 to 10000000.")
    }

    private func load(_ load: LargeDirectory.Load) async throws {
        system.installCallDirectory(LargeDirectory.identifier) { LargeDirectory(load) }
        try await reload(LargeDirectory.identifier)
    }

    private func reload(_ identifier: String) async throws {
        do {
            try await manager.reloadExtension(withIdentifier: identifier)
            terminal.print("loaded")
        } catch let error as CXErrorCodeCallDirectoryManagerError {
            throw TerminalError("\(error.code) (\(error.errorCode))")
        }
    }

    /// Reports a call, shows how it rings, and ends it.
    private func ring(_ number: String) async {
        let (call, update) = (UUID(), CXCallUpdate())
        update.remoteHandle = CXHandle(type: .phoneNumber, value: number)
        do {
            try await provider.reportNewIncomingCall(with: call, update: update)
            let shown = try await system.user.wait { $0.contains { $0.uuid == call } }
            terminal.print("\(number) rings as \(shown.first { $0.uuid == call }?.name ?? "")")
            provider.reportCall(with: call, endedAt: nil, reason: .unanswered)
        } catch CXErrorCodeIncomingCallError.filteredByBlockList {
            terminal.print("\(number) is blocked")
        } catch {
            terminal.print("error: \(error)")
        }
    }
}

extension DirectoryApp: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {}
}
