import HubEngine
import HubWire

@testable import ScenarioKit

/// A stage that changes what comes over the lines, as a wrong hub would.
final class MeddlingStage: Stage {
    private let stage: VirtualStage
    private let meddle: ([Happening]) -> [Happening]

    /// A virtual stage whose happenings are changed.
    init(_ stage: VirtualStage, _ meddle: @escaping ([Happening]) -> [Happening]) {
        (self.stage, self.meddle) = (stage, meddle)
    }

    var now: Duration { stage.now }
    var slack: Duration { stage.slack }
    var lateness: Duration { stage.lateness }
    var settling: Duration { stage.settling }
    func connect(_ line: Int) { stage.connect(line) }
    func send(_ message: LineMessage, over line: Int) { stage.send(message, over: line) }
    func cut(_ line: Int) { stage.cut(line) }
    func hangUp(_ line: Int) { stage.hangUp(line) }
    func setReading(_ reads: Bool, _ line: Int) { stage.setReading(reads, line) }
    func wait(until moment: Duration) -> [Happening] { meddle(stage.wait(until: moment)) }
    func perform(_ deed: HubDeed) { stage.perform(deed) }
    func jumpClock(by duration: Duration) { stage.jumpClock(by: duration) }
    func end() { stage.end() }
}

extension Happening {
    /// What is told, where it is that.
    var notification: WireNotification? {
        guard case .message(.text(let bytes)) = content,
            case .notification(_, let notification)? = try? HubMessage(parsing: bytes)
        else { return nil }
        return notification
    }

    /// Whether it is a packet of sound.
    var isSound: Bool {
        guard case .message(.audio(let bytes)) = content, bytes.count > 1 else { return false }
        return !RTPPacket.isRTCP(secondByte: bytes[1])
    }

    /// The same with other numbers, as a hub that counts wrongly would send it.
    func renumbered(by difference: Int) -> Happening {
        guard case .message(.text(let bytes)) = content,
            case .notification(let seq, let notification)? = try? HubMessage(parsing: bytes)
        else { return self }
        var happening = self
        var text: [UInt8] = []
        HubMessage.notification(seq: UInt64(Int(seq) + difference), notification).encode(into: &text)
        happening.content = .message(.text(text))
        return happening
    }
}
