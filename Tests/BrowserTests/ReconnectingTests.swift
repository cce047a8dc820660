import BrowserKit
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of the phone while its connection is lost.
    struct ReconnectingTests {
        @Test func `without a connection, Mute and End act at once, and the hub performs them when it is back`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let link = try FaultyLink(to: environment.hub.port)
                pages.links.append(link)
                let alice = try await environment.page(pages)
                try await alice.signIn(by: "alice", at: "http://127.0.0.1:\(link.port)/", speaking: PageTone.alice)
                for words in ["WebSocket connection to", "ERR_CONNECTION_REFUSED"] { alice.ignoreErrors(words) }
                let bob = try await environment.caller("bob", pages)
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.choose("Accept")
                try await bob.waitToHear(PageTone.alice)
                try await alice.wait(for: "document.querySelector(\".main-card .grade\")")

                try await lose(link, alice)
                #expect(try await alice.value("document.querySelector(\".main-card .grade\")") == .null)
                try await alice.press("m")
                #expect(
                    try await alice.value("document.querySelector(\".main-card [aria-pressed=true]\")?.innerText")
                        == "Mute"
                )
                #expect(try await alice.value("bench.hub.audio.areCallsMuted").isTrue)
                try await returned(link, alice)
                try await bob.waitToHear()
                #expect(try await alice.value("bench.hub.calls[0].isMuted").isTrue)

                try await lose(link, alice)
                try await alice.press("e")
                #expect(try await alice.value("document.querySelector(\".main-card\")") == .null)
                #expect(try await bob.value("call.state") == "connected")
                try await returned(link, alice)
                try await bob.wait(for: "call.hasEnded")
                try await alice.wait(for: "bench.hub.calls.length === 0")
            }
        }

        private func lose(_ link: FaultyLink, _ page: ChromiumPage) async throws {
            link.refuse()
            link.reset()
            try await page.wait(for: "bench.hub.state === \"reconnecting\"")
        }

        private func returned(_ link: FaultyLink, _ page: ChromiumPage) async throws {
            link.restore()
            try await page.wait(for: "bench.hub.state === \"online\"")
        }
    }
}
