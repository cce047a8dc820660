import BrowserKit
import Foundation
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of the browser driver, on whose fault detection the other tests depend.
    struct DriverTests {
        @Test func `a page that violates its content security policy, throws or requests another host is detected`()
            async throws
        {
            let hub = try await BrowserHub()
            let browser = try await Chromium()
            let faults = [
                "setTimeout(() => { throw new Error(\"loose\"); });": "loose",
                "console.error(\"said\");": "said",
                "document.body.append(Object.assign(document.createElement(\"img\"), { src: \"http://127.0.0.2:9/\" }));":
                    "127.0.0.2",
                "const s = document.createElement(\"script\"); s.textContent = \"1\"; document.body.append(s);":
                    "Content Security Policy",
            ]
            for (script, words) in faults {
                let page = try await browser.page()
                try await page.open(hub.url + "tests/harness.html?module=harness.js")
                try await page.wait(for: "globalThis.results")
                #expect(page.loggedErrors == [])
                try await page.run(script)
                // Another process of the browser reports some of them.
                let deadline = Deadline(seconds: 20)
                while !page.loggedErrors.contains(where: { $0.contains(words) }), !deadline.isOver {
                    try await page.run("await new Promise(then => setTimeout(then, 20));")
                }
                #expect(page.loggedErrors.contains { $0.contains(words) }, "\(page.loggedErrors)")
                try await page.close()
            }
        }

        @Test func `users share no browser data, tabs of one user do`() async throws {
            let hub = try await BrowserHub()
            let browser = try await Chromium()
            let alice = try await browser.page()
            let bob = try await browser.page()
            let tab = try await alice.secondTab()
            for page in [alice, bob, tab] { try await page.open(hub.url + "tests/harness.html?module=harness.js") }
            try await alice.run("localStorage.setItem(\"name\", \"alice\");")
            #expect(try await bob.value("localStorage.getItem(\"name\")") == .null)
            #expect(try await tab.value("localStorage.getItem(\"name\")") == "alice")
        }

        @Test func `a browser process ends with its Swift object`() async throws {
            var browser: Chromium? = try await Chromium()
            let profile = try #require(browser?.profile)
            #expect(FileManager.default.fileExists(atPath: profile))
            #expect(Processes.naming(profile).count > 1)
            let end = Removal(of: profile)
            browser = nil
            // Who reads from its pipe may hold it a moment longer.
            #expect(await end.comes(within: 20))
            #expect(Processes.naming(profile) == [])
        }

        @Test func `a browser ends with the process that started it, even if that is killed`() async throws {
            let victim = URL(filePath: Program.path).deletingLastPathComponent().appending(path: "BrowserVictim").path
            let program = try Program([], program: victim, in: try TemporaryFolder())
            let profile = try await program.line(with: "callhub-browser-")
            #expect(Processes.naming(profile).count > 1)
            let end = Removal(of: profile)
            program.send(signal: SIGKILL)
            #expect(await end.comes(within: 20), "its guardian cleans up")
            #expect(Processes.naming(profile) == [])
        }
    }
}

/// The removal of a folder, for a test that waits for it.
private final class Removal: Sendable {
    private let watch = inotify_init1(Int32(IN_CLOEXEC))

    init(of folder: String) { inotify_add_watch(watch, folder, UInt32(IN_DELETE_SELF)) }

    deinit { close(watch) }

    func comes(within seconds: Int32) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [watch] in
                var wait = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&wait, 1, seconds * 1_000) == 1)
            }
        }
    }
}

/// The processes that run on the machine.
private enum Processes {
    /// Returns the process IDs whose command line contains some words, without the guardian, which ends a moment later.
    static func naming(_ words: String) -> [Int] {
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int($0) }
        return numbers.filter { number in
            let line = (try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))) ?? Data()
            let command = String(decoding: line, as: UTF8.self)
            return command.contains(words) && !["sh\0", "rm\0"].contains { command.hasPrefix($0) }
        }
    }
}
