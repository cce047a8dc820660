import Foundation
import HubEngine
import Testing

/// The engine's sample in `docs/libraries.md`: the lines between the marks are in the document, and run here.
struct LibrariesDocumentTests {
    @Test func `the thirty lines of engine code in the document make and hold a call`() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
        // BEGIN
        var engine = Engine(EngineConfiguration(seed: 1))
        var (events, sessions): ([Event], [SessionID]) = ([], [])
        var ringing = CallUUID(high: 0, low: 0)

        func run(_ event: Event) {
            events.append(event)
            while !events.isEmpty {
                var effects: [Effect] = []
                engine.handle(events.removeFirst(), at: Instant(nanoseconds: 0), into: &effects)
                for effect in effects {
                    switch effect {
                    case .reply(_, .opened(let session, _, _)): sessions.append(session)
                    case .lookUp(let token, let lookUp):  // the account of a handle, and its data on the caller
                        let result = LookUpResult(.account(lookUp.handle.value, CallerScreeningData()))
                        events.append(.lookedUp(token, result))
                    case .notify(let session, .callChanged(let call)):
                        print("device", session.index, "call with", call.remoteHandle.value, call.state)
                        if call.state == .ringing { ringing = call.uuid }
                    case .audioRouteChanged(let session):
                        print("device", session.index, "is heard by", engine.audioRoute(of: session).sinks.map(\.index))
                    default: break
                    }
                }
            }
        }
        func ask(_ session: SessionID, _ call: CallUUID, _ kind: ActionKind) {
            let request = Request.transaction([ActionRequest(callUUID: call, kind: kind)])
            run(.request(session, request, token: RequestToken(rawValue: 0)))
        }

        for name in ["alice", "bob"] {
            let device = SessionOpening(account: name, handles: [.generic(name)], deviceID: "phone")
            run(.sessionOpened(device, token: RequestToken(rawValue: 0)))
        }
        let call = CallUUID(high: 1, low: 1)
        ask(sessions[0], call, .start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil))
        ask(sessions[1], ringing, .answer)
        ask(sessions[0], call, .setHeld(true))
        // END
        #expect(printed.contains("device 1 call with alice ringing"))
        #expect(printed.contains("device 0 is heard by [1]"))
        #expect(printed.last == "device 1 call with alice connected")
        #expect(printed.contains("device 0 call with bob held"))
    }

    @Test func `the lines in the document are those that the test runs`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let sample = try #require(source.firstMatch(of: /\/\/ BEGIN\n(?s)(.*?) *\/\/ END/)).1
        let lines = sample.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(8) }
        let document = try String(contentsOf: root.appending(path: "docs/libraries.md"), encoding: .utf8)
        #expect(
            document.contains("import HubEngine\n\n" + lines.joined(separator: "\n").trimmingCharacters(in: .newlines))
        )
        #expect(lines.count { !$0.isEmpty } <= 38)
    }
}
