public import Foundation
import HubEngine

/// The tones of keys of the keypad.
public final class PlayToneAction: ConversationAction, @unchecked Sendable {
    /// The kinds of tones.
    public enum Tone: Int, Hashable, Sendable {
        /// A key of the keypad.
        case single
        /// Digits behind a comma, after a pause.
        case softPause
        /// Digits behind a semicolon, after the user's consent.
        case hardPause
    }

    /// The digits: keys of the keypad, or a part of a dial string.
    public let digits: String
    /// The kind of the tones.
    public let tone: Tone

    /// Creates the tones of keys.
    ///
    /// - Parameters:
    ///   - conversationUUID: The UUID of the conversation.
    ///   - digits: The digits: `0` to `9`, `*`, `#`, `A` to `D`.
    ///   - tone: The kind of the tones.
    public convenience init(conversationUUID: UUID, digits: String, tone: Tone) {
        self.init(uuid: UUID(), conversation: conversationUUID, digits: digits, tone: tone)
    }

    init(uuid: UUID, conversation: UUID, digits: String, tone: Tone) {
        (self.digits, self.tone) = (digits, tone)
        super.init(uuid: uuid, conversation: conversation)
    }

    override var engineKind: ActionKind? { .playDTMF(digits: digits, type: tone.engineType) }
}

extension PlayToneAction.Tone {
    init(_ type: DTMFType) {
        switch type {
        case .softPause: self = .softPause
        case .hardPause: self = .hardPause
        default: self = .single
        }
    }

    fileprivate var engineType: DTMFType {
        switch self {
        case .single: .singleTone
        case .softPause: .softPause
        case .hardPause: .hardPause
        }
    }
}
