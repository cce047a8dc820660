import HubEngine
import HubWire

@testable import ScenarioKit

/// A stage that changes what comes over the lines, as a wrong hub would.
final class MeddlingStage: LayeredStage {
    private let meddle: ([Happening]) -> [Happening]

    /// A virtual stage whose happenings are changed.
    init(_ stage: VirtualStage, slack: Duration, _ meddle: @escaping ([Happening]) -> [Happening]) {
        self.meddle = meddle
        super.init(over: stage, slack: slack)
    }

    override func wait(until moment: Duration) -> [Happening] { meddle(super.wait(until: moment)) }
}

extension Happening {
    /// The notification that the message carries; nil if it is none.
    var notification: WireNotification? {
        guard case .message(.text(let bytes)) = content,
            case .notification(_, let notification)? = try? HubMessage(parsing: bytes)
        else { return nil }
        return notification
    }

    /// Indicates that the message is an RTP packet.
    var isSound: Bool {
        guard case .message(.audio(let bytes)) = content, bytes.count > 1 else { return false }
        return !RTPPacket.isRTCP(secondByte: bytes[1])
    }

    /// The call that is told of, where one is.
    var call: CallSnapshot? {
        if case .callChanged(let call)? = notification { call } else { nil }
    }

    /// The same with other numbers, as a hub that counts wrongly would send it.
    func renumbered(by difference: Int) -> Happening {
        retold { seq, notification in (UInt64(Int(seq) + difference), notification) }
    }

    /// Something else with the same number, as a hub that tells wrong things would send it.
    func telling(_ notification: WireNotification) -> Happening {
        retold { seq, _ in (seq, notification) }
    }

    private func retold(_ change: (UInt64, WireNotification) -> (UInt64, WireNotification)) -> Happening {
        guard case .message(.text(let bytes)) = content,
            case .notification(let seq, let notification)? = try? HubMessage(parsing: bytes)
        else { return self }
        var happening = self
        var text: [UInt8] = []
        let (newSeq, newNotification) = change(seq, notification)
        HubMessage.notification(seq: newSeq, newNotification).encode(into: &text)
        happening.content = .message(.text(text))
        return happening
    }
}
