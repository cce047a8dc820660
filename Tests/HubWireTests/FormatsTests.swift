import HubEngine
import HubWire
import Testing

@Suite struct FormatsTests {
    @Test func `a UUID is parsed in either case and written in lower case`() throws {
        // RFC 9562, appendix A.6.
        let uuid = try #require(CallUUID(uuidText: "017F22E2-79B0-7CC3-98c4-dc0c0c07398f"))
        #expect(uuid == CallUUID(high: 0x017F_22E2_79B0_7CC3, low: 0x98C4_DC0C_0C07_398F))
        #expect(uuid.uuidText == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test(arguments: [
        "", "x", "017F22E2-79B0-7CC3-98c4-dc0c0c07398", "017F22E2-79B0-7CC3-98c4-dc0c0c07398f0",
        "017F22E279B07CC398c4dc0c0c07398f", "{017F22E2-79B0-7CC3-98c4-dc0c0c07398f}",
        "017F22E2-79B0-7CC3-98c4_dc0c0c07398f", "017F22E2-79B0-7CC3-98c4-dc0c0c07398g",
        "017F22E2-79B0-7CC3-98c4-dc0c0c07398f ",
    ])
    func `any other text is not a UUID`(text: String) {
        #expect(CallUUID(uuidText: text) == nil)
    }

    /// The examples of RFC 3339 section 5.8, and the corners of the calendar.
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0, "1970-01-01T00:00:00.000Z"),
        ("1985-04-12T23:20:50.52Z", 482_196_050_520, "1985-04-12T23:20:50.520Z"),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000, "1996-12-20T00:39:57.000Z"),
        ("1990-12-31T23:59:60Z", 662_688_000_000, "1991-01-01T00:00:00.000Z"),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130, "1937-01-01T11:40:27.870Z"),
        ("2000-02-29t12:00:00z", 951_825_600_000, "2000-02-29T12:00:00.000Z"),
        ("2026-11-21 07:22:01.1239999999999Z", 1_795_245_721_123, "2026-11-21T07:22:01.123Z"),
        ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"),
        ("2262-04-11T23:47:16.854Z", 9_223_372_036_854, "2262-04-11T23:47:16.854Z"),
        ("1677-09-21T00:12:44.000Z", -9_223_372_036_000, "1677-09-21T00:12:44.000Z"),
    ])
    func `a date is parsed with any offset and written in UTC`(text: String, milliseconds: Int64, written: String)
        throws
    {
        let instant = try #require(RFC3339.instant(from: text))
        #expect(instant.nanoseconds / 1_000_000 == milliseconds)
        #expect(RFC3339.text(of: instant) == written)
    }

    @Test(arguments: [
        "", "2026", "2026-11-21", "2026-11-21T07:22:01", "2026-11-21T07:22:01.Z", "2026-11-21T07:22Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-11-31T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z",
        "2026-11-21T07:22:61Z", "2026-11-21T07:22:01+24:00", "2026-11-21T07:22:01+0100", "2026-11-21T07:22:01ZZ",
        "+026-11-21T07:22:01Z", "2026-11-21T07:22:01,5Z", "2026-1-21T07:22:01Z", "0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z", "２026-11-21T07:22:01Z",
    ])
    func `any other text is not a date`(text: String) {
        #expect(RFC3339.instant(from: text) == nil)
    }

    @Test func `the earliest and the latest instant can be written`() {
        #expect(RFC3339.text(of: Instant(nanoseconds: .max)) == "2262-04-11T23:47:16.854Z")
        #expect(RFC3339.text(of: Instant(nanoseconds: .min)) == "1677-09-21T00:12:43.145Z")
    }

    @Test func `every day of five centuries is parsed as it was written`() {
        for day in -106_000...106_000 as ClosedRange<Int64> {
            let instant = Instant(nanoseconds: day * 86_400_000_000_000 + 43_200_000_000_000)
            #expect(RFC3339.instant(from: RFC3339.text(of: instant)) == instant)
        }
    }
}
