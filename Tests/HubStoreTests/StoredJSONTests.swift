import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The columns of JSON, as this version writes them and as `JSONEncoder` wrote them in earlier ones.
struct StoredJSONTests {
    private struct OldQuietHours: Encodable {
        var days: [String]
        var from: Int
        var to: Int
    }

    private static let night = QuietHours(days: [.monday, .sunday], from: 1_320, to: 420)
    private static let never = QuietHours(days: [], from: 0, to: 1_439)

    @Test func `a database of an earlier version is read`() throws {
        let folder = try TemporaryFolder()
        let file = try StoreFile(folder("hub.db"))
        try file.write([.settings(AccountSettings())], of: "bob")
        try file.addRecent(call("ann", devices: []), of: "bob")
        try Database(path: folder("hub.db")).execute(
            #"""
            UPDATE settings SET
                quiet_hours =
                    '[{"to":420,"from":1320,"days":["monday","sunday"]},{"days":[],"to":1439,"from":0}]',
                quiet_devices = '["a\/b","\"\\\n\t\r\b\f\u0000\u001f","ä😀é",""]';
            UPDATE recents SET devices = '["desk","\/dev\/phone"]'
            """#
        )
        let storedData = try #require(try StoreFile(folder("hub.db")).storedData("bob"))
        #expect(storedData.settings.quietHours == [Self.night, Self.never])
        let devices: Set = ["a/b", "\"\\\n\t\r\u{8}\u{c}\u{0}\u{1f}", "ä😀é", ""]
        #expect(storedData.settings.quietDevices == devices)
        #expect(storedData.recents.map(\.call.devices) == [["desk", "/dev/phone"]])
    }

    @Test func `every text is read as written, by this version and by earlier ones`() throws {
        for texts in [[], troubles, [String(repeating: "\u{301}", count: 500)]] + troubles.map({ [$0] }) {
            #expect(
                StoredStrings.texts(StoredStrings.json(texts)).map { Array($0.utf8) } == texts.map { Array($0.utf8) }
            )
            let old = try String(decoding: JSONEncoder().encode(texts), as: UTF8.self)
            #expect(StoredStrings.texts(old).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        }
        let old = try JSONEncoder().encode([OldQuietHours(days: ["monday", "sunday"], from: 1_320, to: 420)])
        #expect(QuietHoursColumn.hours(String(decoding: old, as: UTF8.self)) == [Self.night])
    }

    @Test func `columns are readable by people`() {
        #expect(StoredStrings.json([]) == "[]")
        #expect(StoredStrings.json(["desk", "a\"b"]) == #"["desk","a\"b"]"#)
        let days = #"[{"days":["monday","sunday"],"from":1320,"to":420},{"days":[],"from":0,"to":1439}]"#
        #expect(QuietHoursColumn.json([Self.night, Self.never]) == days)
        #expect(QuietHoursColumn.hours(days) == [Self.night, Self.never])
        #expect(QuietHoursColumn.skippedUntil(days) == nil)
        let skipped = #"{"hours":\#(days),"skippedUntil":7}"#
        let date = Instant(nanoseconds: 7)
        #expect(QuietHoursColumn.json([Self.night, Self.never], skippedUntil: date) == skipped)
        #expect(QuietHoursColumn.hours(skipped) == [Self.night, Self.never])
        #expect(QuietHoursColumn.skippedUntil(skipped) == date)
    }

    @Test(arguments: ["", "[", "null", "{}", "[1]", #"["a",null]"#, #"["a"]]"#, #"["\x"]"#])
    func `a damaged list is read as an empty one`(json: String) {
        #expect(StoredStrings.texts(json) == [])
    }

    @Test(arguments: [
        "", "{}", "[[]]", #"[{"days":["monday"],"from":0}]"#, #"[{"days":"monday","from":0,"to":1}]"#,
        #"[{"days":[1],"from":0,"to":1}]"#, #"[{"days":[],"from":"0","to":1}]"#, #"[{"days":[],"from":0.5,"to":1}]"#,
    ])
    func `damaged quiet hours are read as none, and an unknown day is skipped`(json: String) {
        #expect(QuietHoursColumn.hours(json) == [])
        let unknown = #"[{"days":["monday","someday"],"from":0,"to":1}]"#
        #expect(QuietHoursColumn.hours(unknown) == [QuietHours(days: [.monday], from: 0, to: 1)])
    }
}
