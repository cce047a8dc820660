import HubEngine
import HubWire

@testable import ScenarioKit
@testable import ScenarioSimulation

/// A test environment that changes received messages, as a faulty hub would.
final class FaultInjectingTestEnvironment: WrappingTestEnvironment {
    private let transform: ([ConnectionEvent]) -> [ConnectionEvent]

    /// A virtual test environment that changes connection events.
    init(
        _ environment: VirtualTestEnvironment,
        maximumNotificationSkew: Duration,
        _ transform: @escaping ([ConnectionEvent]) -> [ConnectionEvent]
    ) {
        self.transform = transform
        super.init(over: environment, maximumNotificationSkew: maximumNotificationSkew)
    }

    override func wait(until moment: Duration) -> [ConnectionEvent] { transform(super.wait(until: moment)) }
}

extension ConnectionEvent {
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

    /// The call of the notification, if there is one.
    var call: CallSnapshot? {
        if case .callChanged(let call)? = notification { call } else { nil }
    }

    /// Returns the same notification with a wrong sequence number.
    func renumbered(by difference: Int) -> ConnectionEvent {
        rewritten { seq, notification in (UInt64(Int(seq) + difference), notification) }
    }

    /// Another notification with the same seq, as a faulty hub would send it.
    func replacingNotification(_ notification: WireNotification) -> ConnectionEvent {
        rewritten { seq, _ in (seq, notification) }
    }

    private func rewritten(_ change: (UInt64, WireNotification) -> (UInt64, WireNotification)) -> ConnectionEvent {
        guard case .message(.text(let bytes)) = content,
            case .notification(let seq, let notification)? = try? HubMessage(parsing: bytes)
        else { return self }
        var event = self
        var text: [UInt8] = []
        let (newSeq, newNotification) = change(seq, notification)
        HubMessage.notification(seq: newSeq, newNotification).encode(into: &text)
        event.content = .message(.text(text))
        return event
    }
}
