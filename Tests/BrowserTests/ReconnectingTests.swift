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

        @Test func `without a connection nobody is called or answered, now or later, and the field keeps its text`()
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
                try await alice.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await alice.secondOfCardPasses()
                try await lose(link, alice)
                try await alice.press("a")
                let toasts = "[...document.querySelectorAll(\".toast\")].map(one => one.innerText)"
                try await alice.wait(for: "\(toasts).join() === \"Reconnecting…\"")
                #expect(try await alice.value("document.querySelector(\".choice.accept\").disabled") == false)
                try await alice.press("/")
                try await alice.type("carol")
                try await alice.press("Enter")
                try await alice.wait(for: "\(toasts).length === 2")
                #expect(try await alice.value("document.querySelector(\"#dial-field\").value") == "carol")
                try await returned(link, alice)
                // The hub performs requests in their order: they would have been executed before this one's answer.
                try await alice.run("await bench.hub.request(\"settings.get\");")
                #expect(try await alice.value("bench.hub.calls.map(call => call.state)") == ["ringing"])
                #expect(try await bob.value("call.remoteIsRinging && !call.hasEnded").isTrue)
            }
        }

        @Test func `a card says that it is being answered, and a second tap answers or calls nobody again`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                // The answers of the hub come when the test has them come.
                try await alice.run(
                    """
                    globalThis.asked = [];
                    const { request } = bench.hub;
                    bench.hub.request = async (method, params) => {
                        if (method !== "transaction.request") return request.call(bench.hub, method, params);
                        asked.push(params.actions.map(({ type }) => type).join());
                        await new Promise((then) => (globalThis.goOn = then));
                        return request.call(bench.hub, method, params);
                    };
                    const { call } = await import("/phone/actions.js");
                    for (let taps = 0; taps < 2; taps += 1) call({ type: "generic", value: "nobody" });
                    """
                )
                #expect(try await alice.value("asked") == ["start"])
                try await alice.run("goOn();")
                try await alice.wait(for: "document.querySelector(\".held-card\")")
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.choose("Accept")
                try await alice.wait(for: "document.querySelector(\".kind\").innerText === \"Answering…\"")
                #expect(try await alice.value("document.querySelector(\".choice.accept\").disabled").isTrue)
                #expect(try await alice.value("document.querySelector(\".choice.decline\").disabled") == false)
                try await alice.secondOfCardPasses()
                try await alice.press("a")
                #expect(try await alice.value("asked") == ["start", "answer"])
                try await alice.run("goOn();")
                try await bob.wait(for: "call.state === \"connected\"")
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
