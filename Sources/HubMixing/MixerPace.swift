/// The pace of a mixer: it finds out if the mixer falls behind its schedule, and how much work it can do.
///
/// It goes one step down when frames end too late to be in time, and one up after a long time with much to spare, so
/// that it does not swing. Times are nanoseconds of one clock.
package struct MixerPace: Sendable {
    /// The present effort.
    package private(set) var effort = MixerEffort.full

    private var lateFrames = 0
    private var changedAt: Int64?
    /// The start of the present time without a late or a laborious frame; nil: there was none.
    private var easySince: Int64?

    /// Creates the pace of a mixer that does all of its work.
    package init() {}

    /// Adds the times of one frame, and changes the effort if it is time.
    ///
    /// - Parameters:
    ///   - due: The time at which the frame was to begin.
    ///   - start: The time at which it began.
    ///   - end: The time at which it ended.
    ///   - share: The share of a frame's 20 ms that this mixer may take, 0 to 1.
    /// - Returns: True if the effort has changed.
    package mutating func finished(due: Int64, start: Int64, end: Int64, share: Double = 1) -> Bool {
        let allowance = Int64(Double(Self.frame) * share)
        let isLate = end - due > Self.frame / 2 || end - start > allowance
        let isEasy = end - due < Self.frame / 4 && end - start < allowance / 4
        lateFrames = isLate ? lateFrames + 1 : max(0, lateFrames - 1)
        if !isEasy { easySince = nil } else if easySince == nil { easySince = end }
        if lateFrames >= Self.patience {
            lateFrames = 0
            return change(by: 1, at: end)
        }
        guard let easySince, end - easySince > Self.recovery, end - (changedAt ?? 0) > Self.recovery else {
            return false
        }
        return change(by: -1, at: end)
    }

    private mutating func change(by step: Int, at now: Int64) -> Bool {
        changedAt = now
        easySince = nil
        guard let next = MixerEffort(rawValue: effort.rawValue + step) else { return false }
        effort = next
        return true
    }

    private static let frame: Int64 = 20_000_000
    /// The late frames, less those in time, after which a step down follows: a single stall of the machine is none.
    private static let patience = 10
    /// The easy time that is followed by a step up: shorter, and it would swing.
    private static let recovery: Int64 = 5_000_000_000
}
