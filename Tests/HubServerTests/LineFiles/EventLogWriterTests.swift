import Foundation
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// The event log, also on a disk that is too slow.
struct EventLogWriterTests {
    private static let session = SessionID(index: 0, generation: 0)

    @Test func `a full disk ends the event log with one warning, and memory stays bounded`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/events.jsonl"
        let warnings = Lines()
        var settings = LogSettings()
        settings.write = { warnings.add($0) }
        // Not begun: as with a disk that never answers, nothing is ever taken out of the buffer.
        let recorder = try EventLogWriter(to: path, log: HubLog(settings: settings))
        let configuration = EngineConfiguration(seed: 1)
        recorder.start(EventLogHeader(hubVersion: "1", node: "n", engine: configuration))
        var update = CallUpdate()
        update.localizedCallerName = String(repeating: "a", count: 1 << 20)
        let request = Request.reportCall(CallUUID(high: 1, low: 2), update)
        for number in 0..<40 {
            recorder.record(
                .request(Self.session, request, token: RequestToken(rawValue: 0)),
                at: Instant(nanoseconds: Int64(number))
            )
            #expect(recorder.pendingBytes < 18 << 20)
        }
        #expect(recorder.pendingBytes == 0, "it has given up, and keeps nothing")
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("the event log has stopped; calls continue") == true)
    }

    @Test func `a clock tick is logged only if a deadline is due`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/events.jsonl"
        let recorder = try EventLogWriter(to: path, log: HubLog(settings: LogSettings()))
        recorder.recordTime(Instant(nanoseconds: 5), due: nil)
        recorder.recordTime(Instant(nanoseconds: 5), due: Instant(nanoseconds: 6))
        #expect(recorder.pendingBytes == 0)
        recorder.recordTime(Instant(nanoseconds: 6), due: Instant(nanoseconds: 6))
        #expect(recorder.pendingBytes > 0)
    }
}

private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }

    func add(_ line: String) { lock.withLock { lines.append(line) } }
}
