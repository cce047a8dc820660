import Foundation
import HubCertificates
import HubConfiguration

/// The date of the program, before which no right clock can be.
enum ProgramDate {
    /// Finds a clock that was never set, or set back: with it certificates are not valid for others.
    ///
    /// - Parameters:
    ///   - now: The time by the machine's clock.
    ///   - built: The modification date of the program's file; nil: unknown.
    /// - Returns: A sentence; nil: the clock may be right.
    static func clockFault(at now: Date, built: Date? = built) -> String? {
        // The file may come from a machine in another time zone, or with a clock that is a little ahead.
        guard let built, now < built.addingTimeInterval(-86_400) else { return nil }
        return "the clock shows \(now.day), and this program is of \(built.day); set the clock, or browsers refuse the "
            + "hub's certificate."
    }

    static var built: Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: BrowserPhoneFolder.program)
        return attributes?[.modificationDate] as? Date
    }
}
