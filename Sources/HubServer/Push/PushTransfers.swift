import CCurl
import HubEngine

/// The transfers under way, found by the message's number or by libcurl's handle.
struct PushTransfers {
    /// One transfer: a class, since a dictionary holds no value that cannot be copied.
    private final class Box {
        let transfer: PushTransfer

        init(_ transfer: consuming PushTransfer) { self.transfer = transfer }
    }

    private var boxes: [UInt64: Box] = [:]

    /// Starts a transfer.
    ///
    /// - Parameters:
    ///   - id: The message's number.
    ///   - message: The message.
    ///   - multi: libcurl's handle of all transfers.
    ///   - certificateAuthority: A PEM file of certificates that are trusted beside the system's; nil: none.
    ///   - now: The time, from which the message's life at the service is counted.
    /// - Returns: False where libcurl refuses it.
    mutating func start(
        _ id: UInt64,
        _ message: OutgoingPushMessage,
        in multi: UnsafeMutableRawPointer,
        trusting certificateAuthority: String?,
        at now: Instant
    ) -> Bool {
        guard let transfer = PushTransfer.start(id, message, in: multi, trusting: certificateAuthority, at: now) else {
            return false
        }
        boxes[id] = Box(transfer)
        return true
    }

    /// Cancels a transfer.
    ///
    /// - Parameter id: The message's number.
    mutating func remove(_ id: UInt64) { boxes[id] = nil }

    /// Cancels all transfers.
    mutating func removeAll() { boxes = [:] }

    /// Removes a transfer that has ended.
    ///
    /// - Parameters:
    ///   - handle: libcurl's handle.
    ///   - result: libcurl's result code.
    /// - Returns: The message's number, the response and a description for the log; nil if the transfer was cancelled.
    mutating func end(
        _ handle: UnsafeMutableRawPointer,
        _ result: CURLcode
    ) -> (id: UInt64, answer: PushQueue.Answer, detail: String)? {
        guard let (id, box) = boxes.first(where: { $0.value.transfer.handle == handle }) else { return nil }
        let (answer, detail) = box.transfer.answer(result)
        boxes[id] = nil
        return (id, answer, detail)
    }
}
