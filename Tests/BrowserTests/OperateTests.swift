import BrowserKit
import CallSystem
import HubTestSupport
import Testing

extension BrowserSuite {
    /// Tests of a tab that is the lock screen of another device.
    struct OperateTests {
        @Test func `a call of the device rings here, is answered, held, muted and ended here, and heard there`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                let bob = try await environment.callDoor("bob", pages)
                try await page.wait(for: "document.querySelector(\"[role=alertdialog] h1\")?.innerText === \"bob\"")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await bob.waitToHear(PageTone.alice)
                try await door.waitToHear(PageTone.bob)
                try await page.press("m")
                try await bob.waitToHear()
                try await page.press("m")
                try await page.wait(for: "!bench.hub.calls[0].isMuted")
                try await page.press("h")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                try await page.press("h")
                try await bob.waitToHear(PageTone.alice)
                try await page.press("k")
                try await page.press("5")
                try await page.press("Escape")
                try await page.press("e")
                try await bob.wait(for: "bench.hub.calls.length === 0")
                // The microphone is the device's.
                #expect(try await page.value("bench.hub.audio.mic.isOpen") == false)
            }
        }

        @Test func `a headless program on CallKit has its lock screen here, and is heard (CK-66)`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let door = try await ToneSample(
                    "MonkeyCall",
                    as: "door",
                    at: "ws://127.0.0.1:\(environment.hub.port)/v1",
                    hertz: Double(PageTone.alice),
                    in: try TemporaryFolder(),
                    environment: ["CALLHUB_DEVICE": "monkey"]
                )
                let page = try await environment.page(pages)
                try await page.openOperating("monkey", environment)
                let bob = try await environment.callDoor("bob", pages)
                try await door.program.line(with: "bob: ringing")
                try await page.wait(for: "document.querySelector(\"[role=alertdialog] h1\")?.innerText === \"bob\"")
                #expect(door.position == 0)
                let icon = "document.querySelector(\"[role=alertdialog] .app-icon\")?.style.mask"
                try await page.wait(for: "\(icon)?.includes(\"image/png\")")
                // The program's own ringtone: its 2.3 seconds, not the four of the phone's own bell.
                let length = "bench.hub.audio.tones.node?.buffer.duration"
                try await page.wait(for: "Math.abs(\(length) - 2.28) < 0.1 && bench.hub.audio.tones.node.loop")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await door.program.line(with: "bob: connected")
                try await bob.waitToHear(PageTone.alice)
                let heard = try await door.hearSecond()
                try await page.press("h")
                try await door.program.line(with: "bob: held")
                try await door.program.line(with: "audio: stopped")
                let held = door.position
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                try await bob.waitToHear()
                #expect(door.position == held)
                try await page.press("h")
                try await bob.waitToHear(PageTone.alice)
                // A second caller.
                let carol = try await environment.callDoor("carol", pages)
                try await page.wait(for: "document.querySelectorAll(\".accepts .choice\").length === 2")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await door.program.line(with: "carol: connected")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                try await carol.waitToHear(PageTone.alice)
                try await page.wait(for: "document.querySelector(\".held-card\")")
                try await page.run("bench.hub.calls.find(one => one.remoteHandle.value === \"carol\").end();")
                try await door.program.line(with: "carol: ended")
                try await carol.wait(for: "bench.hub.calls.length === 0")
                // The program ends, and with it its call: here, too.
                #expect(try await door.quit() == 0)
                try await bob.wait(for: "bench.hub.calls.length === 0")
                try await page.wait(for: "bench.hub.calls.length === 0")
                let sound = HeardAudio(samples: Array(try door.recording()[heard]))
                #expect(sound.contains(tone: Double(PageTone.bob)) && !sound.contains(tone: Double(PageTone.alice)))
                #expect(try await page.value("bench.hub.audio.mic.isOpen") == false)
            }
        }

        @Test func `a second call is taken beside the first one, and both are merged`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                let bob = try await environment.callDoor("bob", pages)
                try await page.wait(for: "document.querySelector(\"[role=alertdialog]\")")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                let carol = try await environment.callDoor("carol", pages)
                try await page.wait(for: "document.querySelectorAll(\".accepts .choice\").length === 2")
                try await page.secondOfCardPasses()
                try await page.press("a")
                try await page.wait(for: "document.querySelector(\".held-card\")")
                try await bob.wait(for: "bench.hub.calls[0].remoteIsOnHold")
                // Letters act on no card that has just come.
                try await page.wait(for: "performance.now() - (globalThis.heldSince ??= performance.now()) > 500")
                try await page.press("g")
                try await carol.wait(for: "bench.hub.calls[0].participants.length === 1")
                try await door.wait(for: "bench.hub.calls.every(one => one.group)")
            }
        }

        @Test func `a call that is there is shown to who comes later and after a reload, and outlives the tab`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let door = try await environment.page(pages)
                try await door.openClientTestPage(environment.hub.url, as: "door", speaking: PageTone.alice)
                try await door.run("await bench.hub.call(\"echo\");")
                let id = try #require(try await door.value("bench.hub.device.id").text)
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "#operate=" + id)
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                try await page.run("document.querySelector(\"input[name=account]\").focus();")
                try await page.type("door")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"echo\"")
                try await page.run("location.reload();")
                try await page.wait(for: "document.querySelector(\".main-card h2\")?.innerText === \"echo\"")
                try await page.open("about:blank")
                #expect(try await door.value("bench.hub.calls.map(one => one.state)") == ["connected"])
            }
        }

        @Test func `the device calls from here, and one that is not connected is told of`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                try await page.run("document.querySelector(\"input[name=handle]\").focus();")
                try await page.type("echo")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\".main-card [role=timer]\")")
                try await door.wait(for: "bench.hub.calls.length === 1")
                let other = try await environment.page(pages)
                try await other.openOperating("nowhere", environment)
                try await other.run("document.querySelector(\"input[name=handle]\").focus();")
                try await other.type("echo")
                try await other.press("Enter")
                try await other.wait(
                    for: "document.querySelector(\".toast\")?.innerText === \"nowhere isn’t connected right now.\""
                )
            }
        }

        @Test func `a call of the device shows its app's name and icon, rings its ringtone, and Recents show them`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                try await door.run(Self.monkeyCall)
                let bob = try await environment.callDoor("bob", pages)
                let caller = "document.querySelector(\"[role=alertdialog] .kind\")"
                try await page.wait(for: "\(caller)?.textContent.startsWith(\"Monkey Call · \")")
                try await page.wait(for: "\(caller).querySelector(\".app-icon\")?.style.mask.includes(\"image/png\")")
                // Half a second of sound, not the four of the phone's own bell.
                try await page.wait(for: "bench.hub.audio.tones.node?.buffer.duration < 1")
                try await page.wait(for: "bench.hub.audio.tones.node.loop")
                let phone = try await environment.page(pages)
                try await phone.signIn(by: "door", at: environment.hub.url, speaking: PageTone.alice)
                try await phone.wait(for: "\(caller)?.textContent.startsWith(\"Monkey Call · \")")
                // A phone has a choice of its own, of which the app's ringtone is one.
                try await phone.wait(for: "bench.hub.audio.tones.node?.buffer.duration > 3")
                try await bob.run("bench.hub.calls[0].end();")
                try await phone.run("const { openTab } = await import(\"/phone/actions.js\"); openTab(\"recents\");")
                try await phone.wait(for: "document.querySelector(\".recent .app-icon\")")
                try await phone.run("const { openTab } = await import(\"/phone/actions.js\"); openTab(\"settings\");")
                try await phone.wait(
                    for: "[...document.querySelectorAll(\"option\")].some(one => one.innerText === \"Monkey Call\")"
                )
            }
        }

        @Test func `a new name, icon and ringtone of the app are shown while a call rings`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                let door = try await page.operate(environment, pages)
                try await door.run(Self.monkeyCall)
                let phone = try await environment.page(pages)
                try await phone.signIn(by: "door", at: environment.hub.url, speaking: PageTone.alice)
                let bob = try await environment.callDoor("bob", pages)
                let caller = "document.querySelector(\"[role=alertdialog] .kind\")"
                let mask = "\(caller).querySelector(\".app-icon\")?.style.mask"
                for one in [page, phone] {
                    try await one.wait(for: "\(caller)?.textContent.startsWith(\"Monkey Call · \")")
                    try await one.wait(for: "\(mask)?.includes(\"image/png\")")
                    try await one.run("globalThis.first = \(mask);")
                }
                try await page.wait(for: "bench.hub.audio.tones.node?.buffer.duration < 1")
                try await page.run("globalThis.ring = bench.hub.audio.tones.node.buffer;")
                // The same app under another name, with another icon and a longer sound: nobody asks for them.
                try await door.run(Self.apeCall)
                for one in [page, phone] {
                    try await one.wait(for: "\(caller)?.textContent.startsWith(\"Ape Call · \")")
                    try await one.wait(for: "\(mask)?.includes(\"image/png\") && \(mask) !== first")
                }
                try await page.wait(for: "bench.hub.audio.tones.node && bench.hub.audio.tones.node.buffer !== ring")
                try await page.wait(for: "bench.hub.audio.tones.node.loop")
                try await door.run("await bench.hub.request(\"provider.setAppearance\", { icon: null });")
                for one in [page, phone] {
                    try await one.wait(for: "\(caller) && !\(caller).querySelector(\".app-icon\")")
                }
                try await bob.run("bench.hub.calls[0].end();")
            }
        }

        @Test func `a token that is refused is none of a guest's link, and another sign-in works`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url + "#operate=entrance")
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                let change = "(await import(\"/phone/state.js\")).change"
                try await page.run("\(change)({ information: { authMode: \"token\", brand: {} } });")
                try await page.wait(for: "document.querySelector(\"input[name=token]\")")
                try await page.run("document.querySelector(\"input[name=token]\").focus();")
                try await page.type("not.a.token")
                try await page.press("Enter")
                let refused = "This token is not valid."
                try await page.wait(for: "document.querySelector(\".error\")?.innerText === \"\(refused)\"")
                for (closing, text) in [
                    ("{ reason: \"expired\" }", "Your access has expired. Sign in again."),
                    ("{ reason: \"credentials\", error: { name: \"wrongToken\" } }", refused),
                ] {
                    try await page.run(
                        "const { change, state } = await import(\"/phone/state.js\");"
                            + "change({ connection: \"closed\", closing: \(closing), "
                            + "signIn: { ...state.signIn, error: null } });"
                    )
                    try await page.wait(for: "document.querySelector(\".note\")?.innerText === \"\(text)\"")
                }
                try await page.run(
                    "const { change, state } = await import(\"/phone/state.js\");"
                        + "change({ information: { authMode: \"open\", brand: {} }, closing: null, "
                        + "signIn: { ...state.signIn, token: \"\" } });"
                )
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                try await page.run("document.querySelector(\"input[name=account]\").select();")
                try await page.type("door")
                try await page.press("Enter")
                try await page.wait(for: "document.querySelector(\"#operate-title\")")
            }
        }

        @Test func `the device is named, and an unknown one is told of beside those that are there`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let door = try await environment.page(pages)
                try await door.signIn(by: "door", at: environment.hub.url, speaking: PageTone.alice)
                let name = try #require(try await door.value("bench.hub.device.name").text)
                let id = try #require(try await door.value("bench.hub.device.id").text)
                let page = try await environment.page(pages)
                try await page.openOperating(id, environment)
                try await page.wait(
                    for: "document.querySelector(\"#operate-title\").innerText === \"Calls of \(name)\""
                )
                let other = try await environment.page(pages)
                try await other.openOperating("nowhere", environment)
                let note = "document.querySelector(\".note\")?.innerText"
                try await other.wait(for: "\(note)?.startsWith(\"No device with the id “nowhere” is signed in\")")
                #expect(try await other.value("document.querySelector(\".quiet a\").hash").text == "#operate=" + id)
            }
        }

        /// Makes a page's device an app with a name, an icon and half a second of a tone.
        private static let monkeyCall = app(named: "Monkey Call", margin: 5, hertz: 600)
        /// The same with another name, icon and tone.
        private static let apeCall = app(named: "Ape Call", margin: 10, hertz: 400)

        private static func app(named name: String, margin: Int, hertz: Int) -> String {
            """
            const context = new OffscreenCanvas(40, 40).getContext("2d");
            context.fillRect(\(margin), \(margin), \(40 - 2 * margin), \(40 - 2 * margin));
            const png = await (await context.canvas.convertToBlob({ type: "image/png" })).arrayBuffer();
            const view = new DataView(new ArrayBuffer(44 + 8000));
            const put = (at, text) => [...text].forEach((one, index) => view.setUint8(at + index, one.charCodeAt(0)));
            put(0, "RIFF"); view.setUint32(4, 8036, true); put(8, "WAVEfmt "); view.setUint32(16, 16, true);
            [[20, 1], [22, 1], [32, 2], [34, 16]].forEach(([at, value]) => view.setUint16(at, value, true));
            view.setUint32(24, 8000, true); view.setUint32(28, 16000, true); put(36, "data");
            view.setUint32(40, 8000, true);
            for (let index = 0; index < 4000; index++) {
                view.setInt16(44 + 2 * index, 12000 * Math.sin(index * 2 * Math.PI * \(hertz) / 8000), true);
            }
            const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
            await bench.hub.request("provider.configure", { provider: { localizedName: "\(name)" } });
            await bench.hub.request("provider.setAppearance", { icon: text(png), ringtone: text(view.buffer) });
            """
        }

        @Test func `a phone of the same account in another tab goes on`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let phone = try await environment.page(pages)
                try await phone.signIn(by: "door", at: environment.hub.url, speaking: PageTone.alice)
                let id = try #require(try await phone.value("bench.hub.device.id").text)
                let page = try await phone.secondTab()
                try await page.openOperating(id, environment)
                _ = try await environment.callDoor("bob", pages)
                for one in [phone, page] { try await one.wait(for: "document.querySelector(\"[role=alertdialog]\")") }
                #expect(try await phone.value("bench.hub.state") == "online")
            }
        }

        @Test(arguments: Screen.operating)
        func `each screen fits five windows in three languages, and axe finds nothing`(screen: Screen) async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                try await screen.expectToFit(environment, pages)
            }
        }
    }
}
