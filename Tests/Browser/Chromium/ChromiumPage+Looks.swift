public import Foundation

/// What a page is shown as.
public struct Looks: Sendable {
    /// CSS pixels.
    public var width: Int
    /// CSS pixels.
    public var height: Int
    /// By `prefers-color-scheme`.
    public var isDark: Bool
    /// By `navigator.language`, as `ko`.
    public var language: String

    /// A window of a size.
    ///
    /// - Parameters:
    ///   - width: CSS pixels.
    ///   - height: CSS pixels.
    ///   - isDark: Whether the system is dark.
    ///   - language: The first of the user's languages.
    public init(width: Int, height: Int, isDark: Bool = false, language: String = "en") {
        self.width = width
        self.height = height
        self.isDark = isDark
        self.language = language
    }
}

extension ChromiumPage {
    /// Shows the page in another way; its language counts from the next load on.
    ///
    /// - Parameter looks: How.
    /// - Throws: ``BrowserError``.
    public func show(_ looks: Looks) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(looks.width)), "height": .number(Double(looks.height)),
                "deviceScaleFactor": 1, "mobile": .bool(looks.width < 600),
            ]
        )
        try await send(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": looks.isDark ? "dark" : "light"],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ]
        )
        let agent = try await browser.pipe.send("Browser.getVersion")["userAgent"]
        try await send(
            "Emulation.setUserAgentOverride",
            ["userAgent": agent, "acceptLanguage": .string(looks.language)]
        )
        try await comeToRest()
    }

    /// Waits until the page shows what it is to look like, and is not on its way there.
    private func comeToRest() async throws {
        try await run(
            """
            // When a page turns dark under the driver, Chromium leaves some inherited colours (light-dark) as they were.
            const { style } = document.documentElement;
            style.display = "none";
            getComputedStyle(document.body).color;
            style.display = "";
            // A colour on its way to another has a contrast of its own.
            const passing = document.getAnimations().filter(one => one.effect.getComputedTiming().endTime < Infinity);
            await Promise.allSettled(passing.map(one => one.finished));
            """
        )
    }

    /// A picture of what is shown.
    ///
    /// - Returns: A PNG.
    /// - Throws: ``BrowserError``.
    public func screenshot() async throws -> Data {
        let picture = try await send("Page.captureScreenshot", ["format": "png"])["data"].text ?? ""
        guard let data = Data(base64Encoded: picture), !data.isEmpty else { throw BrowserError("no picture") }
        return data
    }

    /// Hides the tab behind another one of the same window, or shows it again: only the whole browser does.
    ///
    /// - Returns: The tab in front, to be closed when this one is to be seen again.
    /// - Throws: ``BrowserError``.
    public func hide() async throws -> ChromiumPage {
        let front = try await secondTab()
        try await front.send("Page.bringToFront")
        try await wait(for: "document.hidden")
        return front
    }

    /// Throws garbage away, and counts what is left.
    ///
    /// - Returns: What there is.
    /// - Throws: ``BrowserError``.
    public func memory() async throws -> PageMemory {
        try await send("HeapProfiler.enable")
        for _ in 0..<3 { try await send("HeapProfiler.collectGarbage") }
        let counters = try await send("Memory.getDOMCounters")
        let heap = try await send("Runtime.getHeapUsage")
        return PageMemory(
            heapBytes: Int(heap["usedSize"].number ?? 0),
            nodes: Int(counters["nodes"].number ?? 0),
            listeners: Int(counters["jsEventListeners"].number ?? 0),
            documents: Int(counters["documents"].number ?? 0)
        )
    }
}

/// What a page holds after its garbage is gone.
public struct PageMemory: Sendable {
    /// JavaScript's heap.
    public let heapBytes: Int
    /// Nodes of all documents.
    public let nodes: Int
    /// Event listeners.
    public let listeners: Int
    /// Documents.
    public let documents: Int
}
