import CLinux

/// The subject of a text message of the hub, found by searching it for a few strings.
///
/// Decoding it as JSON would cost the generator more than encoding it costs the hub.
package struct ScannedMessage {
    /// The kinds of message that the generator distinguishes.
    package enum Kind {
        case signedIn
        case refused
        case ringing
        case connected
        case ended
        case audioActivated
        case other
    }

    /// The kind of this message.
    package let kind: Kind
    private let bytes: UnsafeRawBufferPointer

    /// Scans the message in `bytes`, which must stay valid as long as this value is used.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.finds(#""method":"call.changed""#) {
            let states: [(String, Kind)] = [
                (#""state":"ringing""#, .ringing), (#""state":"connected""#, .connected), (#""state":"ended""#, .ended),
            ]
            kind = states.first { bytes.finds($0.0) }?.1 ?? .other
        } else if bytes.finds(#""method":"provider.didActivateAudioSession""#) {
            kind = .audioActivated
        } else if bytes.finds(#""error":{"#) {
            kind = .refused
        } else {
            kind = bytes.finds(#""resumeToken":"#) ? .signedIn : .other
        }
    }

    /// The UUID of the call that it is about, as 36 characters; empty if it has none.
    package var callUUID: String {
        let member = #""call":{"uuid":""#
        guard let place = bytes.place(of: member), place + member.utf8.count + 36 <= bytes.count else { return "" }
        return String(decoding: bytes[(place + member.utf8.count)...].prefix(36), as: UTF8.self)
    }

    /// Indicates that the call ended here because another device answered it.
    package var isAnsweredElsewhere: Bool { bytes.finds(#""endedReason":"answeredElsewhere""#) }

    /// The whole message.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension UnsafeRawBufferPointer {
    fileprivate func finds(_ text: String) -> Bool {
        place(of: text) != nil
    }

    fileprivate func place(of text: String) -> Int? {
        var text = text
        let place = text.withUTF8 { word in hub_linux_find(baseAddress, count, word.baseAddress, word.count) }
        return place < 0 ? nil : place
    }
}
