public import Foundation

/// The window size, colour scheme and language that a page is shown with.
public struct DisplaySettings: Sendable {
    /// The window's width in CSS pixels.
    public var width: Int
    /// The window's height in CSS pixels.
    public var height: Int
    /// Indicates a dark colour scheme (`prefers-color-scheme`).
    public var isDark: Bool
    /// The language tag of `navigator.language`, as `ko`.
    public var language: String

    /// Creates the looks of a window.
    ///
    /// - Parameters:
    ///   - width: The window's width in CSS pixels.
    ///   - height: The window's height in CSS pixels.
    ///   - isDark: True for a dark colour scheme.
    ///   - language: The first of the user's languages.
    public init(width: Int, height: Int, isDark: Bool = false, language: String = "en") {
        self.width = width
        self.height = height
        self.isDark = isDark
        self.language = language
    }
}

extension ChromiumPage {
    /// Changes the looks of the page; the language takes effect with the next load.
    ///
    /// - Parameter displaySettings: The window size, colour scheme and language.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
    public func show(_ displaySettings: DisplaySettings) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(displaySettings.width)), "height": .number(Double(displaySettings.height)),
                "deviceScaleFactor": 1, "mobile": .bool(displaySettings.width < 600),
            ]
        )
        try await send(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": displaySettings.isDark ? "dark" : "light"],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ]
        )
        let agent = try await browser.pipe.send("Browser.getVersion")["userAgent"]
        try await send(
            "Emulation.setUserAgentOverride",
            ["userAgent": agent, "acceptLanguage": .string(displaySettings.language)]
        )
        try await waitForStableRendering()
    }

    /// Waits until the page has its final styles and no finite animation runs.
    private func waitForStableRendering() async throws {
        try await run(
            """
            // When the emulated scheme changes, Chromium leaves some inherited colours (light-dark) as they were.
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

    /// Takes a picture of the visible part of the page.
    ///
    /// - Returns: The picture as PNG.
    /// - Throws: ``BrowserError`` when the browser gives no picture.
    public func screenshot() async throws -> Data {
        let picture = try await send("Page.captureScreenshot", ["format": "png"])["data"].text ?? ""
        guard let data = Data(base64Encoded: picture), !data.isEmpty else { throw BrowserError("no picture") }
        return data
    }

    /// Hides the tab behind another one of the same window; needs ``Chromium/Build/full``.
    ///
    /// - Returns: The tab in front; closing it shows this one again.
    /// - Throws: ``BrowserError`` when the tab is not hidden in time.
    public func hide() async throws -> ChromiumPage {
        let front = try await secondTab()
        try await front.send("Page.bringToFront")
        try await wait(for: "document.hidden")
        return front
    }

    /// Collects garbage and measures the memory that is left.
    ///
    /// - Returns: The heap size and the counts of DOM objects.
    /// - Throws: ``BrowserError`` when the browser refuses, has ended or does not reply in time.
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

/// The memory of a page after garbage collection.
public struct PageMemory: Sendable {
    /// The used JavaScript heap in bytes.
    public let heapBytes: Int
    /// The number of DOM nodes of all documents.
    public let nodes: Int
    /// The number of JavaScript event listeners.
    public let listeners: Int
    /// The number of documents.
    public let documents: Int
}
