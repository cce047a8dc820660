import Foundation

/// The schedule of a backup each night.
struct BackupSchedule {
    /// The hour of the local time.
    let hour: Int
    /// The calendar with the time zone.
    var calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        return calendar
    }()

    /// Indicates that a backup is due: the newest is older than the last time at which the clock showed the hour.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - newest: The time of the newest backup, no later than `now`; nil: there is none.
    /// - Returns: True if a backup is to be made now.
    func isDue(at now: Date, newest: Date?) -> Bool {
        guard let newest else { return true }
        return newest < lastTime(notAfter: now)
    }

    /// The last time at which the clock showed the hour, or the next one if that was skipped in summer time.
    private func lastTime(notAfter now: Date) -> Date {
        for days in [0, -1] {
            guard let day = calendar.date(byAdding: .day, value: days, to: now),
                let time = calendar.date(bySettingHour: hour, minute: 0, second: 0, of: day), time <= now
            else { continue }
            return time
        }
        return now - 86_400
    }
}
