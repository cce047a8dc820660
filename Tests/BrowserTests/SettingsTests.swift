import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Tests of the settings of an account's user, and of their effect on other devices and the hub.
    struct SettingsTests {
        @Test func `settings changed on one device appear on another`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let desk = try await environment.page(pages)
                let mobile = try await environment.page(pages, width: 360, height: 740)
                for page in [desk, mobile] { try await page.openSettings(environment) }
                try await desk.run("document.querySelector(\"[role=switch]\").click();")
                try await mobile.wait(for: "document.querySelector(\"[role=switch]\").checked")
                #expect(
                    try await mobile.value("document.querySelectorAll(\"[role=switch]\")[1].checked") == .bool(false)
                )
                try await desk.choose("Quiet hours")
                try await desk.choose("Add quiet hours")
                try await mobile.choose("Quiet hours")
                try await mobile.wait(for: "document.querySelectorAll(\".days [aria-pressed=true]\").length === 5")
                try await desk.choose("Sunday")
                try await mobile.wait(for: "document.querySelectorAll(\".days [aria-pressed=true]\").length === 6")
            }
        }

        @Test func `a half-typed input survives a re-render of the page`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                let name = "document.querySelector(\"input[autocomplete=name]\")"
                try await page.run("\(name).focus();")
                try await page.type("Alice L")
                try await page.run(
                    """
                    const { change } = await import("/phone/state.js");
                    change({ toasts: [{ id: 1, text: "drawn anew", isUrgent: false }] });
                    """
                )
                try await page.wait(for: "document.body.innerText.includes(\"drawn anew\")")
                #expect(try await page.value("\(name).value") == "Alice L")
                try await page.press("Tab")
                try await page.wait(for: "(await bench.hub.request(\"settings.get\")).displayName === \"Alice L\"")
            }
        }

        @Test func `quiet hours and a contact disappear when they are deleted`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.choose("Quiet hours")
                try await page.choose("Add quiet hours")
                try await page.choose("Delete", within: ".stretch")
                try await page.wait(for: "!document.querySelector(\".stretch\")")
                #expect(try await page.value("(await bench.hub.request(\"settings.get\")).quietHours") == [])
                try await page.press("Escape")
                try await page.run(
                    """
                    const { putContact } = await import("/phone/account.js");
                    await putContact({ identifier: "1", name: "Bob", handles: [{ type: "generic", value: "bob" }] });
                    const { state } = await import("/phone/state.js");
                    (await import("/phone/views/lists.js")).edit(state.contacts[0]);
                    """
                )
                try await page.choose("Delete")
                try await page.choose("Press again")
                try await page.wait(for: "(await bench.hub.request(\"contacts.list\")).contacts.length === 0")
                try await page.wait(for: "(await import(\"/phone/state.js\")).state.contacts.length === 0")
            }
        }

        @Test func `a blocked handle stays on the block list until it is removed`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.choose("Blocked")
                try await page.wait(for: "document.querySelector(\"input[name=entry]\")")
                for entry in ["spam", "+49 30*"] {
                    try await page.run("document.querySelector(\"input[name=entry]\").focus();")
                    try await page.type(entry)
                    try await page.press("Enter")
                }
                let list = "(await bench.hub.request(\"block.list\"))"
                try await page.wait(for: "\(list).prefixes.length + \(list).handles.length === 2")
                #expect(try await page.value("\(list).prefixes") == ["4930"])
                try await page.choose("Unblock spam")
                try await page.wait(for: "\(list).handles.length === 0")
            }
        }

        @Test func `strangers are refused as parties of transfers by a switch above the blocked callers (CH-08)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.choose("Blocked")
                let toggle = "document.querySelector(\".sheet [role=switch]\")"
                try await page.wait(for: "\(toggle)?.checked")
                let setting = "(await bench.hub.request(\"settings.get\")).acceptsTransferredStrangers"
                for isOn in [false, true] {
                    try await page.run("\(toggle).click();")
                    try await page.wait(for: "\(setting) === \(isOn) && \(toggle).checked === \(isOn)")
                }
            }
        }

        @Test func `being found, and being named in groups, are switched off and on in the privacy settings (CH-01)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.choose("Privacy")
                for (index, member) in ["isListed", "isNamedInGroups"].enumerated() {
                    let toggle = "document.querySelectorAll(\".sheet [role=switch]\")[\(index)]"
                    try await page.wait(for: "\(toggle)?.checked")
                    let setting = "(await bench.hub.request(\"settings.get\")).\(member)"
                    for isOn in [false, true] {
                        try await page.run("\(toggle).click();")
                        try await page.wait(for: "\(setting) === \(isOn) && \(toggle).checked === \(isOn)")
                    }
                }
            }
        }

        @Test func `quiet hours by the server's clock are shown where ready would stand, and can be ended (CK-13)`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment, tab: 1)
                try await page.run(
                    """
                    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
                    const { set } = await import("/phone/account.js");
                    await set({ timeZone: "", quietHours: [{ days, from: "00:00", to: "00:00" }] });
                    const zone = (await bench.hub.request("settings.get")).hubTimeZone;
                    // An hour of all days around now, by the server's clock.
                    const clock = (minutes) => new Date(Date.now() + minutes * 60_000)
                        .toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
                    await set({ quietHours: [{ days, from: clock(-30), to: clock(30) }] });
                    """
                )
                let ready = "document.querySelector(\".readiness\").innerText"
                try await page.wait(for: "\(ready).startsWith(\"Do Not Disturb until \")")
                try await page.choose("Turn off")
                try await page.wait(for: "\(ready) === \"Ready for calls\"")
            }
        }

        @Test func `a malicious contacts file does no harm, and its valid entries are imported`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment, tab: 1)
                let cards = [
                    "FN:Ada <img src=x onerror=alert(1)>\nTEL:+1", "FN:Nobody", "FN:\u{202e}\u{0}\nEMAIL:b@example.org",
                    "FN:" + String(repeating: "x", count: 100_000) + "\nTEL:+2",
                ]
                let text = cards.map { "BEGIN:VCARD\n\($0)\nEND:VCARD\n" }.joined()
                try await page.run(
                    """
                    const files = new DataTransfer();
                    files.items.add(new File([text], "contacts.vcf"));
                    const input = document.querySelector("input[type=file]");
                    input.files = files.files;
                    input.dispatchEvent(new Event("change"));
                    """,
                    ["text": .string(text)]
                )
                try await page.wait(
                    for: "document.querySelector(\".banner[role=status]\")?.innerText.startsWith(\"3 \")"
                )
                #expect(try await page.value("document.querySelectorAll(\".pane img\").length") == 0)
                let names = try await page.value(
                    "(await bench.hub.request(\"contacts.list\")).contacts.map(one => one.name.slice(0, 12)).sort()"
                )
                #expect(names == ["Ada <img src", "b@example.or", "xxxxxxxxxxxx"])
            }
        }

        @Test func `a device can be signed out from another one`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let desk = try await environment.page(pages)
                let mobile = try await environment.page(pages)
                for page in [desk, mobile] { try await page.openSettings(environment) }
                try await desk.choose("Signed-in devices")
                try await desk.wait(for: "document.querySelectorAll(\".sheet li\").length === 2")
                try await desk.choose("Sign out", within: ".sheet")
                #expect(try await mobile.value("bench.hub.state") == "online", "it is asked once more")
                try await desk.choose("Press again", within: ".sheet")
                try await mobile.wait(for: "document.querySelector(\"form .note\")")
                try await desk.wait(for: "document.querySelectorAll(\".sheet li\").length === 1")
            }
        }

        @Test func `erasing the account deletes its data in the hub and in the browser`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.run(
                    """
                    await navigator.serviceWorker.ready;
                    await bench.hub.request("settings.set", { displayName: "Alice A." });
                    await bench.hub.request("block.add", { prefix: "4930" });
                    """
                )
                try await page.choose("Your data")
                try await page.choose("Delete all my data")
                try await page.choose("Press again")
                try await page.wait(for: "document.querySelector(\"input[name=account]\")")
                try await page.wait(for: "(await caches.keys()).length === 0")
                #expect(try await page.value("[localStorage.length, sessionStorage.length]") == [0, 0])
                #expect(try await page.value("(await navigator.serviceWorker.getRegistrations()).length") == 0)
                try await page.openSettings(environment)
                #expect(try await page.value("(await bench.hub.request(\"settings.get\")).displayName") == "")
                #expect(try await page.value("(await bench.hub.request(\"block.list\")).prefixes") == [])
            }
        }

        @Test func `diagnostics report no problem, and then each problem that occurs`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.openSettings(environment)
                try await page.choose("Diagnostics")
                try await page.choose("Run checks")
                try await page.wait(for: "\(levels).length > 5 && !\(levels).includes(\"run\")", seconds: 60)
                let found = "(await import(\"/phone/state.js\")).state.findings"
                #expect(try await page.value("\(found).filter(one => one.level === \"bad\").map(one => one.id)") == [])
                let delay = try await page.value("\(found).find(one => one.id === \"echo\").detail").text ?? ""
                #expect((20..<2_000).contains(Int(delay.split(separator: " ").first ?? "") ?? 0), "\(delay)")
                let report = try await page.value("(await import(\"/phone/diagnostics.js\")).report()").text ?? ""
                #expect(report.contains("socket: ok") && !report.contains("alice"))

                for words in ["WebSocket connection to", "ERR_", "Fetch"] { page.ignoreErrors(words) }
                environment.hub.kill()
                try await page.choose("Try again")
                try await page.wait(for: "\(levels).length > 5 && !\(levels).includes(\"run\")", seconds: 60)
                let broken = "\(found).filter(one => one.level === \"bad\").map(one => one.id).slice(0, 2)"
                #expect(try await page.value(broken) == ["hub", "socket"])
            }
        }
    }
}

private let levels = "[...document.querySelectorAll(\".finding\")].map(one => one.classList[1])"

extension ChromiumPage {
    /// Opens Alice's phone on one of its tabs, by default the settings.
    func openSettings(_ environment: BrowserTestEnvironment, tab: Int = 3) async throws {
        try await signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
        try await press(Key(stringLiteral: String(tab)), modifiers: 1)
        try await wait(for: "document.querySelectorAll(\".tab\")[\(tab - 1)]?.ariaCurrent === \"page\"")
        try await wait(for: "\"doNotDisturb\" in (await import(\"/phone/state.js\")).state.settings")
    }

    /// Waits for the button whose name begins with a text, and presses it.
    func choose(_ name: String, within place: String = "body") async throws {
        let buttons = """
            [...document.querySelectorAll(`\(place) button`)]
                .filter(one => !one.closest("[inert]") && (one.ariaLabel ?? one.innerText).trim().startsWith("\(name)"))
            """
        try await wait(for: "\(buttons).length")
        try await run("\(buttons)[0].click();")
    }
}
