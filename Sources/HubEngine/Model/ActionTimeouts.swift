/// The action timeouts in nanoseconds, computed from the configuration's durations once.
///
/// The division of a `Duration` costs more than all else that is done to set a deadline.
struct ActionTimeouts {
    private let start: Int64
    private let answer: Int64
    private let action: Int64

    init(_ configuration: EngineConfiguration) {
        start = configuration.startDeadline.wholeNanoseconds
        answer = configuration.answerDeadline.wholeNanoseconds
        action = configuration.actionDeadline.wholeNanoseconds
    }

    func deadline(for kind: ActionKind) -> Int64 {
        switch kind {
        case .start: start
        case .answer, .pull: answer
        case .playDTMF(_, .hardPause): start
        case .end, .endHere, .decline, .setHeld, .setMuted, .setGroup, .playDTMF, .transfer, .setTranslating,
            .unknown:
            action
        }
    }
}
