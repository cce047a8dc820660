import BrowserKit
import Foundation
import Testing

/// The maximum total size of the phone's files, without icons and WebAssembly, in bytes.
private let sizeLimit = 320_000

/// The maximum total sizes of what no phone loads with its first screen, in bytes, by the beginning of the paths:
/// the testers' bench, the page that helps devices to trust the server, and folders that are loaded when needed.
private let otherSizeLimits = [
    "bench": 58_000, "trust": 6_000, "account/": 21_000, "admin/": 52_000, "apps/": 5_000, "invite/": 17_500,
    "contacts/": 6_500, "openid/": 7_000, "operate/": 5_500, "screening/": 7_700, "transfer/": 10_000,
]

extension BrowserSuite {
    /// Tests of the phone's screens in a real browser, as people use them.
    struct PhoneTests {
        @Test func `a whole call works with the keyboard alone: sign in, dial, accept, hold, mute, keys, hang up`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                let bob = try await environment.page(pages)
                for (page, name, tone) in [(alice, "alice", PageTone.alice), (bob, "bob", PageTone.bob)] {
                    try await page.signIn(by: name, at: environment.hub.url, speaking: tone)
                }
                try await alice.press("/")
                try await alice.wait(for: "document.activeElement.id === \"dial-field\"")
                try await alice.type("bob")
                try await alice.press("Enter")
                try await bob.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await bob.secondOfCardPasses()
                try await bob.press("a")
                try await alice.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await alice.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                try await alice.press("m")
                try await bob.waitToHear()
                try await alice.press("m")
                try await bob.waitToHear(PageTone.alice)
                try await alice.press("h")
                try await alice.waitToHear()
                try await alice.press("h")
                try await alice.waitToHear(PageTone.bob)
                try await alice.press("k")
                try await alice.press("5")
                try await alice.press("Escape")
                try await alice.press("e")
                for page in [alice, bob] { try await page.wait(for: "bench.hub.calls.length === 0") }
            }
        }

        @Test func `each control is reachable by Tab, and focus is never lost`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let controls = "button:not([disabled]), input, select, a[href]"
                let all = try await page.value(
                    """
                    [...document.querySelectorAll(`\(controls)`)].filter(e => e.checkVisibility({ visibilityProperty: true })
                        && e.tabIndex >= 0).length
                    """
                )
                try await page.run("globalThis.reached = new Set();")
                for _ in 0..<Int((all.number ?? 0) * 1.5) + 5 {
                    try await page.press("Tab")
                    try await page.run("reached.add(document.activeElement); reached.delete(document.body);")
                }
                let missing = try await page.value(
                    """
                    [...document.querySelectorAll(`\(controls)`)].filter(e => e.checkVisibility({ visibilityProperty: true })
                        && e.tabIndex >= 0 && !reached.has(e)).map(e => e.outerHTML.slice(0, 100))
                    """
                )
                #expect(missing == [])
            }
        }

        @Test(arguments: isThorough ? Screen.all : Screen.all.filter { Screen.most.contains($0.name) })
        func `axe finds no accessibility violations`(screen: Screen) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.show(DisplaySettings(width: 1024, height: 800))
                try await screen.show(page, environment, pages)
                for isDark in [false, true] {
                    try await page.show(DisplaySettings(width: 1024, height: 800, isDark: isDark))
                    let found = try await page.accessibilityViolations()
                    #expect(found == [], "\(isDark ? "dark" : "light")")
                }
            }
        }

        @Test func `a reopened phone page needs one tap before it sends and plays audio`() async throws {
            var options = Chromium.Options()
            options.requiresUserGesture = true
            // A page that may use the microphone may play audio, too.
            try await BrowserTestEnvironment.set(.headlessShell, options) { environment, pages in
                let alice = try await environment.page(pages, permissions: [])
                let bob = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await bob.signIn(by: "bob", at: environment.hub.url, speaking: PageTone.bob)
                try await bob.wait(for: "bench.hub.audio.state === \"on\"")
                try await alice.run("await bench.hub.call(\"bob\");")
                try await bob.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await bob.secondOfCardPasses()
                try await bob.press("a")
                try await alice.waitToHear(PageTone.bob)
                let again = try await alice.secondTab()
                try await alice.open("about:blank")
                try await again.open(environment.hub.url)
                try await again.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await again.run(
                    "const { attach } = await import(\"/tests/attach.js\"); await attach(\(PageTone.alice));"
                )
                try await again.wait(for: "document.querySelector(\".banner[role=status] button\")")
                // The settings have another banner, which is not visible.
                let banners = try await again.value(
                    "[...document.querySelectorAll(\".banner button\")].filter(one => one.checkVisibility()).length"
                )
                #expect(banners == 1)
                #expect(try await again.value("bench.hub.audio.context.state") == "suspended")
                try await again.click(".banner[role=status] button")
                try await again.waitToHear(PageTone.bob)
                try await bob.waitToHear(PageTone.alice)
                #expect(again.loggedErrors == [])
            }
        }

        @Test func `the End button is visible in any window, whatever is above it`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await Screen.quality.show(page, environment, pages)
                for (width, height) in [(900, 700), (1440, 600), (360, 560)] {
                    try await page.show(DisplaySettings(width: width, height: height, language: "en"))
                    let isSeen = try await page.run(
                        """
                        await new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)));
                        const disc = document.querySelector(".hang-up .disc");
                        const { left, top, width, height } = disc.getBoundingClientRect();
                        const corners = [[.2, .2], [.8, .2], [.2, .8], [.8, .8]];
                        return corners.every(([x, y]) =>
                            disc.contains(document.elementFromPoint(left + x * width, top + y * height)));
                        """
                    )
                    #expect(isSeen.isTrue, "\(width) x \(height)")
                }
            }
        }

        @Test func `a declined call plays the busy tone, a cancelled one the end tone`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                let bob = try await environment.page(pages)
                try await bob.openClientTestPage(environment.hub.url, as: "bob", speaking: PageTone.bob)
                let ringing = "(await bench.call(call => call.state === \"ringing\"))"
                for (who, deed, tone) in [
                    (bob, "await \(ringing).choose(\"decline\");", "busy"),
                    (alice, "await bench.hub.calls[0].end();", "ended"),
                ] {
                    try await alice.run("await bench.hub.call(\"bob\");")
                    try await alice.wait(for: "bench.hub.audio.tones.playing === \"ringback\"")
                    try await who.run(deed)
                    try await alice.wait(for: "bench.hub.audio.tones.playing === \"\(tone)\"")
                }
            }
        }

        @Test func `the first screen is usable within a second`() async throws {
            let hub = try await BrowserHub()
            let first = try await quickest(hub.url, with: "form input")
            // The time of an empty page on this machine, which may be busy; usually less than 100 ms.
            let nothing = try await quickest(hub.url + "tests/harness.html?module=harness.js", with: "body")
            #expect(first < (isThorough ? 1_000 : max(1_000, 10 * nothing)), "ms, and \(nothing) for nothing")
        }

        /// Returns the time in milliseconds until a page has painted an element: the best of three loads.
        private func quickest(_ url: String, with element: String) async throws -> Double {
            var times: [Double] = []
            for _ in 1...3 {
                let page = try await Browsers.shared.browser(.headlessShell).page()
                try await page.open(url)
                try await page.wait(for: "document.querySelector(\"\(element)\")")
                let time = try await page.value(
                    """
                    Math.max(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
                        performance.getEntriesByType("navigation")[0].domInteractive)
                    """
                )
                times.append(time.number ?? .infinity)
                #expect(page.loggedErrors == [])
                try await page.close()
            }
            return times.min() ?? .infinity
        }

        @Test func `libopus is smaller than 330 kB, and its licence is beside it`() throws {
            // Half of it when compressed.
            let folder = SourceTree.path("web-static/audio/wasm")
            let module = try Data(contentsOf: URL(filePath: folder + "/opus.wasm"))
            #expect(module.starts(with: [0, 0x61, 0x73, 0x6d]) && module.count < 330_000)
            let licence = try String(contentsOfFile: folder + "/opus-license.txt", encoding: .utf8)
            #expect(licence.contains("Redistributions in binary form must reproduce the above copyright"))
        }

        @Test func `the phone without WebAssembly, and each part beside it, are below the limits of their sizes`()
            throws
        {
            let folder = SourceTree.path("web-static")
            let files = try #require(FileManager.default.enumerator(atPath: folder))
            var sizes: [String: Int] = [:]
            let isCounted = { (name: String) in !name.hasPrefix("icons/") && !name.hasPrefix("audio/wasm/") }
            for case let name as String in files where isCounted(name) {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
                let part = otherSizeLimits.keys.first { name.hasPrefix($0) } ?? "phone"
                sizes[part, default: 0] += (attributes[.size] as? Int) ?? 0
            }
            for (part, limit) in otherSizeLimits.merging(["phone": sizeLimit], uniquingKeysWith: min) {
                let size = try #require(sizes[part])
                #expect(size < limit, "\(part)")
            }
        }
    }
}

extension ChromiumPage {
    /// Opens the phone and signs in by the keyboard; then its microphone plays a tone.
    func signIn(by name: String, at url: String, speaking hertz: Int) async throws {
        try await open(url)
        try await wait(for: "document.querySelector(\"input[name=account]\")")
        try await run("document.querySelector(\"input[name=account]\").focus();")
        try await type(name)
        try await press("Enter")
        try await wait(for: "document.querySelector(\".shell\")")
        try await run("const { attach } = await import(\"/tests/attach.js\"); await attach(\(hertz));")
        try await run("document.activeElement.blur();")
    }
}
