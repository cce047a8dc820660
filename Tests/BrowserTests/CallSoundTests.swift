import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of what the phone does with the microphone, the speakers and the permissions.
    struct CallSoundTests {
        @Test func `one who talks while muted is told so, and nothing is sent`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.connect(bob)
                try await bob.waitToHear(PageTone.alice)
                let level = "Number(document.querySelector(\".own-level\").style.getPropertyValue(\"--level\"))"
                try await alice.wait(for: "\(level) > 0.5")
                let hint = "document.querySelector(\".main-card .status\").innerText.includes(\"You are muted\")"
                #expect(try await alice.value(hint) == false)
                // The hint's four seconds pass when the test says so.
                try await alice.run(
                    """
                    const { setTimeout } = globalThis;
                    globalThis.late = [];
                    globalThis.setTimeout = (body, delay, ...more) =>
                        delay === 4000 ? (late.push(() => body(...more)), 0) : setTimeout(body, delay, ...more);
                    """
                )
                try await alice.press("m")
                try await alice.wait(for: hint)
                try await bob.waitToHear()
                try await alice.press("m")
                try await alice.wait(for: "!\(hint)")
                try await alice.press("m")
                try await alice.wait(for: hint)
                try await alice.run("bench.source.port.postMessage({ level: 0 });")
                try await alice.wait(for: "(late.splice(0).forEach(end => end()), !\(hint))")
                #expect(try await alice.value("bench.hub.calls[0].isMuted").isTrue)
            }
        }

        @Test func `the ring around the microphone shows talking, not each syllable`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.connect(bob)
                let level = "Number(document.querySelector(\".own-level\").style.getPropertyValue(\"--level\"))"
                try await alice.wait(for: "\(level) > 0.5")
                let changes = try await alice.run(
                    """
                    let changes = 0;
                    const observer = new MutationObserver((records) => { changes += records.length; });
                    observer.observe(document.querySelector(".own-level"), { attributeFilter: ["style"] });
                    for (let report = 0; report < 20; report++) {
                        bench.source.port.postMessage({ level: report % 4 < 2 ? 0.01 : 0.3 });
                        await new Promise(then => bench.hub.addEventListener("levels", then, { once: true }));
                    }
                    return changes;
                    """
                )
                // Each change costs a frame.
                #expect((changes.number ?? .infinity) <= 3)
                try await alice.run("bench.source.port.postMessage({ level: 0 });")
                try await alice.wait(for: "\(level) === 0")
            }
        }

        @Test func `with push to talk the microphone is off unless Space is held where nothing is typed`() async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.connect(bob)
                try await alice.choose("Sound")
                try await alice.run(
                    """
                    const rows = [...document.querySelectorAll(".sheet label.switch")];
                    rows.find(one => one.innerText.startsWith("Push to talk")).querySelector("input").click();
                    """
                )
                try await alice.press("Escape")
                try await bob.waitToHear()
                try await alice.space("keydown", at: "document.body")
                try await bob.waitToHear(PageTone.alice)
                let level = "document.querySelector(\".talk .own-level\")"
                let shown = "\(level).style.getPropertyValue(\"--level\")"
                try await alice.wait(for: "\(level)?.checkVisibility() && \(shown) > 0")
                try await alice.space("keyup", at: "document.body")
                try await bob.waitToHear()
                try await alice.run("document.querySelector(\"#dial-field\").focus();")
                try await alice.space("keydown", at: "document.activeElement")
                #expect(try await alice.value("bench.hub.audio.muted").isTrue, "it is typed")
                try await alice.space("keyup", at: "document.activeElement")
                try await alice.run(
                    "document.querySelector(\".talk\").dispatchEvent(new PointerEvent(\"pointerdown\", { bubbles: true }));"
                )
                try await bob.waitToHear(PageTone.alice)
                try await alice.run("dispatchEvent(new Event(\"blur\"));")
                try await bob.waitToHear()
                try await alice.run("document.activeElement.blur();")
                try await alice.press("e")
                try await alice.wait(for: "!bench.hub.audio.muted")
            }
        }

        @Test func `the volumes and the ringtone are chosen in the settings, and kept`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.run(
                    """
                    const [speaker, ring] = document.querySelectorAll("[type=range]");
                    for (const [field, value] of [[speaker, "50"], [ring, "0"]]) {
                        field.value = value;
                        field.dispatchEvent(new Event("input", { bubbles: true }));
                    }
                    const tone = [...document.querySelectorAll("select")].find(one => one.innerText.includes("Marimba"));
                    tone.value = "marimba";
                    tone.dispatchEvent(new Event("change", { bubbles: true }));
                    """
                )
                let chosen = """
                    (() => {
                        const { audio } = bench.hub;
                        const { graph: { speaker, ringer }, tones } = audio.context && audio;
                        return [speaker.node.gain.value, ringer.node.gain.value, tones.ringtone];
                    })()
                    """
                try await page.wait(for: "JSON.stringify(\(chosen)) === '[0.5,0,\"marimba\"]'")
                try await page.reload()
                try await page.wait(for: "document.querySelector(\".shell\")")
                try await page.run("const { attach } = await import(\"/tests/attach.js\"); await attach(440);")
                #expect(try await page.value(chosen) == [0.5, 0, "marimba"])
            }
        }

        @Test func `the microphone is asked for at the first call, notifications after it`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let page = try await environment.page(pages, permissions: [])
                try await page.open(environment.hub.url)
                try await page.run(
                    """
                    globalThis.asked = [];
                    navigator.permissions.query = async () => Object.assign(new EventTarget(), { state: "prompt" });
                    const { getUserMedia } = navigator.mediaDevices;
                    navigator.mediaDevices.getUserMedia = (wanted) => {
                        asked.push("microphone");
                        return getUserMedia.call(navigator.mediaDevices, wanted);
                    };
                    Object.defineProperty(Notification, "permission", { get: () => "default" });
                    Notification.requestPermission = async () => { asked.push("notifications"); return "default"; };
                    (await import("/phone/state.js")).change({ isMicrophoneAllowed: false });
                    document.querySelector("input[name=account]").focus();
                    """
                )
                try await page.type("alice")
                try await page.press("Enter")
                let hub = "(await import(\"/phone/hub.js\")).hub"
                try await page.wait(for: "\(hub).audio.state === \"on\" && document.querySelector(\".shell\")")
                try await page.press("3", modifiers: 1)
                try await page.wait(for: "document.body.innerText.includes(\"Test microphone\")")
                #expect(try await page.value("asked") == [])
                let ask = "[...document.querySelectorAll(\".banner button\")].some(one => one.innerText === \"Allow\")"
                #expect(try await page.value(ask) == false)
                try await page.run("await \(hub).call(\"echo\");")
                try await page.wait(for: "\(hub).calls[0]?.state === \"connected\"")
                #expect(try await page.value("asked") == ["microphone"])
                try await page.handArrives(at: ".main-card [role=timer]")
                try await page.press("e")
                try await page.wait(for: ask)
                #expect(try await page.value("asked") == ["microphone"])
                try await page.run("await \(hub).call(\"echo\");")
                try await page.handArrives(at: ".main-card [role=timer]")
                #expect(try await page.value(ask) == false, "in a call nothing is asked")
                try await page.press("e")
                try await page.choose("Allow")
                try await page.wait(for: "asked.join() === \"microphone,notifications\"")
            }
        }

        @Test func `without any speaker the phone says what is missing`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.open(environment.hub.url)
                try await page.run(
                    """
                    AudioContext.prototype.resume = () => new Promise(() => {});
                    const state = { configurable: true, get: () => "suspended" };
                    Object.defineProperty(AudioContext.prototype, "state", state);
                    document.querySelector("input[name=account]").focus();
                    """
                )
                try await page.type("alice")
                try await page.press("Enter")
                try await page.wait(for: "document.body.innerText.includes(\"Connect a speaker or headphones\")")
                #expect(try await page.value("document.body.innerText.includes(\"Turn sound on\")") == false)
                try await page.run(
                    """
                    Object.defineProperty(AudioContext.prototype, "state", { get: () => "running" });
                    """
                )
                try await page.choose("Try again")
                try await page.wait(for: "!document.body.innerText.includes(\"Connect a speaker or headphones\")")
            }
        }

        @Test func `a notification offers Accept only where it ends and holds nothing`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let alice = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await alice.run(
                    """
                    await navigator.serviceWorker.ready;
                    globalThis.offered = [];
                    ServiceWorkerRegistration.prototype.showNotification = async (name, { actions = [] }) => {
                        offered.push([name, ...actions.map(({ action }) => action)].join(" "));
                    };
                    """
                )
                let bob = try await environment.caller("bob", pages)
                let carol = try await environment.caller("carol", pages)
                let front = try await alice.hide()
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: "offered.join() === \"bob accept decline\"")
                try await alice.run("await bench.hub.calls[0].accept();")
                try await bob.wait(for: "call.state === \"connected\"")
                try await carol.run("await bench.hub.call(\"alice\");")
                try await alice.wait(for: "offered[1]")
                #expect(try await alice.value("offered[1]") == "carol decline")
                try await front.close()
            }
        }

        @Test func `a call missed by a hidden page leaves a notification until it is seen`() async throws {
            try await BrowserTestEnvironment.set(.full) { environment, pages in
                let alice = try await environment.page(pages, permissions: ["audioCapture", "notifications"])
                try await alice.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                // Chromium drops a pending notification when asked for those shown.
                try await alice.run(
                    """
                    await navigator.serviceWorker.ready;
                    globalThis.posted = 0;
                    const { showNotification } = ServiceWorkerRegistration.prototype;
                    ServiceWorkerRegistration.prototype.showNotification = async function (...all) {
                        await showNotification.apply(this, all);
                        posted += 1;
                    };
                    """
                )
                let bob = try await environment.caller("bob", pages)
                let front = try await alice.hide()
                let notifications = "(await (await navigator.serviceWorker.ready).getNotifications())"
                let bodies = "\(notifications).map(one => one.body)"
                var uuid = ""
                for number in 1...2 {
                    try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                    try await alice.wait(for: "posted === \(2 * number - 1)")
                    try await alice.wait(for: "\(bodies).includes(\"Incoming call\")")
                    uuid = try await alice.value("bench.hub.calls[0].uuid").text ?? ""
                    try await bob.run("await call.end();")
                    try await alice.wait(for: "posted === \(2 * number)")
                    try await alice.wait(for: "\(bodies).every(body => body === \"Missed\")")
                }
                #expect(try await alice.value("\(notifications).map(one => one.title)") == ["bob", "bob"])
                try await front.close()
                try await alice.wait(for: "!document.hidden")
                try await alice.wait(for: "(await import(\"/phone/state.js\")).state.recents.length === 2")
                #expect(try await alice.value("\(notifications).length") == 2, "they are not seen yet")
                #expect(
                    try await alice.value("[document.querySelector(\".badge\").innerText, document.title]")
                        == ["2", "(2) CallHub"]
                )
                #expect(try await alice.pressNotification(uuid, action: "") == nil)
                try await alice.wait(for: "document.querySelectorAll(\".recent.missed\").length")
                try await alice.wait(for: "\(notifications).length === 0")
                try await alice.wait(for: "!document.querySelector(\".badge\") && document.title === \"CallHub\"")
            }
        }
    }
}

extension ChromiumPage {
    /// Presses or releases the space bar alone.
    fileprivate func space(_ event: String, at target: String) async throws {
        try await run(
            """
            \(target).dispatchEvent(new KeyboardEvent("\(event)", { key: " ", code: "Space", bubbles: true, cancelable: true }));
            """
        )
    }
}
