import CCurl
import HubEngine

/// The transfers that are being made, found by post or by libcurl's handle.
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
    ///   - id: The post's number.
    ///   - post: The post.
    ///   - multi: libcurl's handle of all transfers.
    ///   - certificateAuthority: A PEM file of certificates that are trusted beside the system's; nil: none.
    ///   - now: The time, from which the message's life at the service is counted.
    /// - Returns: False where libcurl refuses it.
    mutating func start(
        _ id: UInt64,
        _ post: OutgoingPushMessage,
        in multi: UnsafeMutableRawPointer,
        trusting certificateAuthority: String?,
        at now: Instant
    ) -> Bool {
        guard let transfer = PushTransfer.start(id, post, in: multi, trusting: certificateAuthority, at: now) else {
            return false
        }
        boxes[id] = Box(transfer)
        return true
    }

    /// Breaks a transfer off.
    ///
    /// - Parameter id: The post's number.
    mutating func remove(_ id: UInt64) { boxes[id] = nil }

    /// Breaks all transfers off.
    mutating func removeAll() { boxes = [:] }

    /// Removes a transfer that has ended.
    ///
    /// - Parameters:
    ///   - handle: libcurl's handle.
    ///   - result: libcurl's verdict.
    /// - Returns: The post's number, the answer and a few words for the log; nil where the transfer was broken off.
    mutating func end(
        _ handle: UnsafeMutableRawPointer,
        _ result: CURLcode
    ) -> (id: UInt64, answer: PushQueue.Answer, words: String)? {
        guard let (id, box) = boxes.first(where: { $0.value.transfer.handle == handle }) else { return nil }
        let (answer, words) = box.transfer.answer(result)
        boxes[id] = nil
        return (id, answer, words)
    }
}
