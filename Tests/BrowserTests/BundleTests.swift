import BrowserKit
import Foundation
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of the phone as `make phone` bundles it.
    struct BundleTests {
        /// Bundles the phone into a folder.
        private static func makePhone(in folder: TemporaryFolder) async throws -> String {
            let target = folder.path + "/phone"
            let bundler = Process()
            bundler.executableURL = URL(filePath: "/usr/bin/env")
            let (program, source) = (SourceTree.path("Sources/PhoneBundle/bundle.py"), SourceTree.path("web-static"))
            bundler.arguments = ["python3", program, source, target]
            try bundler.run()
            try await blocking { bundler.waitUntilExit() }
            try #require(bundler.terminationStatus == 0)
            return target
        }

        /// Returns whether a file is of a folder that the page loads when it is needed (`LAZY` in bundle.py).
        ///
        /// The service worker keeps such files beside the others, so that all are of one version.
        private static func isLoadedLater(_ path: String) -> Bool {
            [
                "/account/", "/admin/", "/apps/", "/contacts/", "/invite/", "/openid/", "/operate/", "/screening/",
                "/transfer/",
            ]
            .contains { path.hasPrefix($0) }
        }

        @Test func `the bundled phone signs in, calls, sends audio, and opens without a hub`() async throws {
            let folder = try TemporaryFolder()
            let hub = try await BrowserHub(phone: try await Self.makePhone(in: folder))
            let page = try await Browsers.shared.browser(.headlessShell).page()
            try await page.open(hub.url)
            try await page.wait(for: "document.querySelector(\"input[name=account]\")")
            try await page.run("document.querySelector(\"input[name=account]\").focus();")
            try await page.type("alice")
            try await page.press("Enter")
            try await page.wait(for: "document.querySelector(\".shell\")")
            try await page.press("/")
            try await page.type("echo")
            try await page.press("Enter")
            try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
            // The worker encodes the microphone's beeps, and the worklets carry them both ways.
            let metrics = "await (await fetch(\"metrics\")).text()"
            try await page.wait(for: "/^callhub_audio_packets_relayed_total (\\d{2,})/m.test(\(metrics))")
            let names = Set(page.requests.compactMap { URL(string: $0)?.path() }.filter { $0.hasSuffix(".js") })
            #expect(
                names.subtracting(names.filter(Self.isLoadedLater)) == [
                    "/phone/main.js", "/client/worker.js", "/audio/capture-worklet.js", "/audio/playout-worklet.js",
                    "/service-worker.js",
                    // The service worker keeps it; libopus itself is loaded by browsers without WebCodecs alone.
                    "/audio/wasm/coders.js",
                ]
            )
            #expect(!page.requests.contains { $0.hasSuffix(".wasm") })
            try await page.run("await navigator.serviceWorker.ready;")
            for words in ["WebSocket connection to", "ERR_CONNECTION_REFUSED"] { page.ignoreErrors(words) }
            hub.kill()
            try await page.reload()
            try await page.wait(for: "document.querySelector(\".shell\")")
            #expect(page.loggedErrors == [])
            try await page.close()
        }

        @Test func `all that a browser loads of the bundled phone is below 300 kB, and 100 kB compressed`() async throws
        {
            let folder = try TemporaryFolder()
            let phone = try await Self.makePhone(in: folder)
            let size = { (name: String) throws -> Int in
                try #require(FileManager.default.attributesOfItem(atPath: phone + "/" + name)[.size] as? Int)
            }
            let page = ["index.html", "styles/phone.css", "phone/main.js"]
            let audio = ["client/worker.js", "audio/capture-worklet.js", "audio/playout-worklet.js"]
            let files = page + audio + ["service-worker.js", "audio/wasm/coders.js"]
            #expect(try files.map(size).reduce(0, +) < 300_000)
            #expect(try files.map { try size($0 + ".gz") }.reduce(0, +) < 100_000)
        }

        @Test func `the first screen of the bundled phone takes few requests, and their answers are compressed`()
            async throws
        {
            let folder = try TemporaryFolder()
            let hub = try await BrowserHub(phone: try await Self.makePhone(in: folder))
            let page = try await Browsers.shared.browser(.headlessShell).page()
            try await page.open(hub.url)
            try await page.wait(for: "document.querySelector(\"form input\")")
            let sizes = try await page.value(
                """
                performance.getEntriesByType("resource").filter(({ name }) => /(main.js|phone.css)$/.test(name))
                    .map(({ encodedBodySize, decodedBodySize }) => encodedBodySize < decodedBodySize / 2)
                """
            )
            #expect(sizes == [true, true])
            let needed = ["/", "/v1/info", "/styles/phone.css", "/phone/main.js"]
            let asked = page.requests.compactMap { URL(string: $0)?.path() }
            #expect(Set(needed).subtracting(asked) == [])
            // Beside them: the worker, the icon, the manifest, and what the service worker asks for again.
            let others = ["/client/", "/icons/", "/manifest", "/service-worker.js", "/audio/"]
            let extra = Set(asked).subtracting(needed).filter { name in !others.contains { name.hasPrefix($0) } }
            #expect(extra.filter { !Self.isLoadedLater($0) } == [])
            #expect(page.loggedErrors == [])
            try await page.close()
        }
    }
}
