import CallKit
import CallSystem
import Foundation
import PushKit
import SampleTerminal

/// The app, with commands in place of buttons.
@MainActor
final class HotlineApp: NSObject {
    let terminal: Terminal
    let manager: CallManager
    let provider: ProviderDelegate
    private let directories = CXCallDirectoryManager.sharedInstance
    private let registry = PKPushRegistry(queue: .main)
    private let sleep: (Duration) async -> Void

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - terminal: The terminal of its commands.
    ///   - sleep: The closure that lets time pass.
    init(_ terminal: Terminal, sleep: @escaping (Duration) async -> Void = { try? await Task.sleep(for: $0) }) {
        (self.terminal, self.sleep) = (terminal, sleep)
        let list = List(terminal)
        manager = CallManager { list.print() }
        list.manager = manager
        provider = ProviderDelegate(manager: manager) { terminal.print("ready") }
        super.init()
        CallSystem.current.installCallDirectory(CallDirectoryHandler.identifier) { CallDirectoryHandler() }
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        addCommands()
        terminal.addScreen(of: .current)
    }

    private func addCommands() {
        terminal.add("call", "HANDLE", "calls somebody, as echo, bob") { [unowned self] words in
            try await manager.startCall(to: words[0])
        }
        terminal.add("incoming", "HANDLE [SECONDS]", "makes up an incoming call, after some time") {
            [unowned self] words in
            let seconds = words.count > 1 ? Double(words[1]) ?? 0 : 0
            await sleep(.seconds(seconds))
            let type: CXHandle.HandleType = Int64(words[0]) == nil ? .generic : .phoneNumber
            provider.reportIncomingCall(UUID(), from: words[0], type: type) { [terminal] in terminal.print($0) }
        }
        terminal.add("toggle", "ROW", "taps a row of the list: holds its call, or resumes it") { [unowned self] words in
            try await manager.toggleHold(try call(words[0]))
        }
        terminal.add("end", "ROW", "swipes a row of the list: ends its call") { [unowned self] words in
            try await manager.end(try call(words[0]))
        }
        terminal.add("mute", "ROW", "mutes a call, or unmutes it") { [unowned self] words in
            let call = try call(words[0])
            try await manager.setMuted(call, !call.isMuted)
        }
        terminal.add("group", "ROW [ROW]", "merges two calls, or takes one out of its group") { [unowned self] words in
            let other = words.count > 1 ? try call(words[1]) : nil
            try await manager.group(try call(words[0]), with: other)
        }
        terminal.add("directory", "", "loads the call directory: 1234 is blocked, 1111 labelled") { [unowned self] _ in
            try await directories.reloadExtension(withIdentifier: CallDirectoryHandler.identifier)
            terminal.print("directory: loaded")
        }
    }

    private func call(_ row: String) throws -> Call {
        if let number = Int(row), manager.calls.indices.contains(number - 1) { return manager.calls[number - 1] }
        throw TerminalError("The list has no row \(row); it has \(manager.calls.count).")
    }
}

/// The list of calls, printed after each change.
@MainActor
private final class List {
    weak var manager: CallManager?
    private let terminal: Terminal

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func print() {
        guard let manager else { return }
        let rows = manager.calls.map { "\($0.handle) \($0.state.rawValue)" }
        terminal.print("calls: \(rows.isEmpty ? "none" : rows.joined(separator: ", "))")
    }
}

extension HotlineApp: PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        guard let text = payload.dictionaryPayload["UUID"] as? String, let uuid = UUID(uuidString: text),
            let handle = payload.dictionaryPayload["handle"] as? String
        else { return }
        provider.reportIncomingCall(uuid, from: handle) { [terminal] in terminal.print($0) }
    }
}
