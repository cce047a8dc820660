import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Tests of the phone as an installed application: without a network, and started by push messages.
    struct ShellTests {
        @Test func `the phone can be installed as an app`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.run("await navigator.serviceWorker.ready;")
                let errors = try await page.send("Page.getInstallabilityErrors")["installabilityErrors"].elements
                // Each user of the tests has a context of its own, which Chromium treats as incognito.
                #expect(errors.compactMap { $0["errorId"].text } == ["in-incognito"])
            }
        }

        @Test func `all files of the phone are cached, those of the bench are not, and it opens without a hub`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run("await navigator.serviceWorker.ready;")
                let kept = try await page.value(
                    "(await (await \(Self.shell)).keys()).map(one => new URL(one.url).pathname.slice(1))"
                )
                let files = Set(kept.elements.compactMap(\.text))
                let all = FileManager.default.enumerator(atPath: SourceTree.path("web-static"))
                let modules = (all?.compactMap { $0 as? String } ?? []).filter { name in
                    [".js", ".css"].contains { name.hasSuffix($0) } && name != "service-worker.js"
                        && !name.hasPrefix("bench/") && !name.hasPrefix("trust.")
                }
                #expect(modules.count > 50)
                #expect(files.filter { $0.hasPrefix("bench") } == [])
                #expect(Set(modules).subtracting(files) == [])
                #expect(files.contains(""), "the page itself")
                for words in ["WebSocket connection to", "ERR_CONNECTION_REFUSED"] { page.ignoreErrors(words) }
                environment.hub.kill()
                try await page.reload()
                try await page.wait(for: "document.querySelector(\".shell\")")
                try await environment.hub.start()
                try await page.wait(for: "(await import(\"/phone/hub.js\")).hub.state === \"online\"", seconds: 30)
            }
        }

        @Test func `a new version is offered as soon as it interrupts no call`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run("await bench.hub.call(\"echo\"); globalThis.isOld = true;")
                try await page.wait(for: "bench.hub.calls[0]?.state === \"connected\"")
                try await page.run(
                    """
                    await navigator.serviceWorker.ready;
                    const kept = await \(Self.shell);
                    await kept.put(new URL("phone/format.js", location), new Response("export const clock = null;"));
                    (await navigator.serviceWorker.ready).active.postMessage({ type: "check" });
                    """
                )
                try await page.wait(for: "(await import(\"/phone/state.js\")).state.hasUpdate")
                let isOffered = "document.body.innerText.includes(\"new version\")"
                #expect(try await page.value(isOffered) == .bool(false))
                try await page.run("await bench.hub.calls[0].end();")
                try await page.wait(for: isOffered)
                try await page.choose("Reload")
                // The page may be replaced during the evaluation.
                _ = try? await page.wait(for: "!globalThis.isOld")
                try await page.wait(for: "!globalThis.isOld && document.querySelector(\".shell\")")
                let format = "(await (await caches.match(new URL(\"phone/format.js\", location))).text())"
                #expect(try await page.value("\(format).includes(\"null;\")") == .bool(false))
            }
        }

        @Test func `a push is shown with two actions, then as missed, then not at all`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let page = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await page.open(environment.hub.url)
                try await page.push(Message.call("u-1", name: "Alice <b>"))
                let shown = """
                    (await (await navigator.serviceWorker.ready).getNotifications())
                        .map(one => [one.title, one.body, one.tag, ...one.actions.map(({ action }) => action)])
                    """
                try await page.wait(for: "\(shown).length")
                #expect(try await page.value(shown) == [["Alice <b>", "Incoming call", "u-1", "accept", "decline"]])
                try await page.push(Message.over("u-1", missed: true))
                try await page.wait(for: "\(shown)[0][1] === \"Missed\"")
                #expect(try await page.value(shown) == [["Alice <b>", "Missed", "u-1"]])
                try await page.push(Message.over("u-1", missed: false))
                try await page.wait(for: "\(shown).length === 0")
                for hostile in ["", "nonsense", "null", "[]", #"{"type":"call","callUUID":5}"#] {
                    try await page.push(hostile)
                }
                try await page.push(#"{"type":"call","callUUID":"u-2","name":{"a":1},"handle":7,"expiresAt":[]}"#)
                try await page.wait(for: "\(shown).length === 1")
            }
        }

        @Test func `a closed phone receives pushes if the hub sends them and its user agreed, until sign-out`()
            async throws
        {
            let contact: [String: JSON] = ["push": ["contact": "mailto:test@example.org"], "wake": ["waitSeconds": 5]]
            try await BrowserTestEnvironment.set(.full, settings: contact) { environment, pages in
                let page = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await page.open(environment.hub.url)
                try await page.run(Self.pushService)
                try await page.run("document.querySelector(\"input[name=account]\").focus();")
                try await page.type("alice")
                try await page.press("Enter")
                try await page.wait(for: "(await import(\"/phone/state.js\")).state.push")
                try await page.press("3", modifiers: 1)
                let row =
                    "[...document.querySelectorAll(\"label\")].find(one => one.innerText.startsWith(\"Ring when\"))"
                try await page.wait(for: "Boolean(\(row))")
                try await page.run("\(row).querySelector(\"input\").click();")
                try await page.wait(for: "(await import(\"/phone/state.js\")).state.push.isOn")
                let hub = "(await import(\"/phone/hub.js\")).hub"
                let again = "(await \(hub).request(\"push.subscribe\", subscription.toJSON())).ignored"
                #expect(try await page.value(again).isTrue, "the hub has it")
                try await page.choose("Sign out")
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                #expect(try await page.value("subscription === null").isTrue, "the browser has it no more")
                try await page.run("await \(hub).signIn({ account: \"alice\" });")
                let gone = "(await \(hub).request(\"push.unsubscribe\", { endpoint })).ignored"
                #expect(try await page.value(gone).isTrue, "nor has the hub")
            }
        }

        @Test func `without push support in the hub, the phone does not mention push`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.run(
                    "await navigator.serviceWorker.ready; await (await import(\"/phone/shell.js\")).loadPush();"
                )
                #expect(try await page.value("document.body.innerText.includes(\"Show incoming calls\")").isTrue)
                #expect(try await page.value("document.body.innerText.includes(\"Ring when\")") == false)
            }
        }

        private static let shell = "caches.open(`callhub ${new URL(\"./\", location)} shell`)"

        /// A script that replaces the browser maker's push service, which the tests do not have.
        ///
        /// The first subscription fails as one does when a subscription with another key exists; later ones succeed.
        private static let pushService = """
            const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
            const base64url = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
                .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
            const keys = { p256dh: base64url(await crypto.subtle.exportKey("raw", publicKey)), auth: base64url(new Uint8Array(16)) };
            globalThis.endpoint = "https://fcm.googleapis.com/fcm/send/test";
            globalThis.subscription = null;
            const fresh = () => ({
                toJSON: () => ({ endpoint, expirationTime: null, keys }),
                unsubscribe: async () => { subscription = null; return true; },
            });
            let refusals = 1;
            PushManager.prototype.getSubscription = async () => subscription;
            PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
                if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("not as browsers want it");
                if (refusals--) throw new DOMException("another key", "InvalidStateError");
                return subscription = fresh();
            };
            """

        @Test func `the actions of a notification accept and decline the call in the phone`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let bob = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await bob.signIn(by: "bob", at: environment.hub.url, speaking: PageTone.bob)
                let alice = try await environment.page(pages)
                try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: PageTone.alice)
                for (action, outcome) in [("decline", "declined"), ("accept", "connected")] {
                    try await alice.run("globalThis.call = await bench.hub.call(\"bob\");")
                    try await bob.wait(for: "bench.hub.calls[0]?.choices?.length")
                    let uuid = try await bob.value("bench.hub.calls[0].uuid").text ?? ""
                    try await bob.push(Message.call(uuid, name: "alice"))
                    let shown =
                        "(await (await navigator.serviceWorker.ready).getNotifications({ tag: \"\(uuid)\" })).length"
                    try await bob.wait(for: shown)
                    #expect(try await bob.pressNotification(uuid, action: action) == nil, "the page is open")
                    try await alice.wait(for: "call.state === \"\(outcome)\" || call.cause === \"\(outcome)\"")
                }
            }
        }

        @Test(arguments: [("accept", "answer"), ("decline", "decline"), ("", "")])
        func `a pressed notification opens the phone where no page of it is open, which does what was pressed`(
            action: String,
            verb: String
        ) async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let bob = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await bob.signIn(by: "bob", at: environment.hub.url, speaking: PageTone.bob)
                let alice = try await environment.page(pages)
                try await alice.openClientTestPage(environment.hub.url, as: "alice", speaking: PageTone.alice)
                try await alice.run("globalThis.call = await bench.hub.call(\"bob\");")
                try await bob.wait(for: "bench.hub.calls[0]?.choices?.length")
                let uuid = try await bob.value("bench.hub.calls[0].uuid").text ?? ""
                try await bob.push(Message.call(uuid, name: "alice"))
                try await bob.open("about:blank")
                let opened = try await bob.pressNotification(uuid, action: action)
                let address = environment.hub.url + (verb.isEmpty ? "" : "#\(verb)=\(uuid)")
                #expect(opened == address)
                try await bob.open(opened ?? "about:blank")
                switch verb {
                case "answer": try await alice.wait(for: "call.state === \"connected\"")
                case "decline": try await alice.wait(for: "call.cause === \"declined\"")
                default:
                    try await bob.wait(for: "document.querySelector(\".choice.accept\")")
                    #expect(try await alice.value("call.hasEnded || call.hasConnected") == false)
                }
            }
        }

        @Test func `a missed call's notification opens the phone where no page of it is open`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let page = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await page.open(environment.hub.url)
                try await page.push(Message.over("u-1", missed: true))
                try await page.open("about:blank")
                #expect(try await page.pressNotification("u-1", action: "") == environment.hub.url)
            }
        }
    }
}

/// The payloads of push messages to a browser without an open page (docs/protocol.md, Push notifications).
private enum Message {
    static func call(_ uuid: String, name: String) -> String {
        JSON.object([
            "type": "call", "callUUID": .string(uuid), "name": .string(name), "expiresAt": "2126-11-21T18:08:17.250Z",
            "handle": ["type": "generic", "value": "alice"],
        ]).description
    }

    static func over(_ uuid: String, missed: Bool) -> String {
        JSON.object(["type": "over", "callUUID": .string(uuid), "missed": .bool(missed)]).description
    }
}
