import BrowserKit

extension Screen {
    /// The sheet that invites, and the pages that an invitation opens.
    static let invitations: [Screen] = [
        Screen(name: "invite") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.openInviting()
            try await page.run("await bench.hub.request(\"invitations.create\", { kind: \"guest\", name: \"Dana\" });")
            try await page.run("document.querySelector(\".sheet [type=submit]\").click();")
            try await page.wait(for: "document.querySelectorAll(\".sheet li\").length === 2")
            try await page.run("document.querySelector(\".sheet .link\").click();")
            try await page.run("document.querySelector(\".sheet li button\").click();")
            try await page.run("document.querySelector(\".sheet li button\").click();")
            try await page.wait(for: "document.querySelectorAll(\".sheet li button\").length === 1")
        },
        Screen(name: "invite-account") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.openInviting()
            // The server of the other screens has no accounts.
            try await page.run(
                """
                const { hub } = await import("/phone/hub.js");
                hub.request = async () => ({ invitations: [], accounts: true });
                const { change } = await import("/phone/state.js");
                change({ overlay: null });
                """
            )
            try await page.run("(await import(\"/invite/inviting.js\")).load();")
            try await page.change("{ overlay: \"invite\" }")
            try await page.wait(for: "document.querySelectorAll(\".sheet select\").length === 3")
        },
        Screen(name: "invite-code") { page, environment, _ in
            try await page.signedIn(environment, tab: 3)
            try await page.openInviting()
            try await page.run("document.querySelector(\".sheet [type=submit]\").click();")
            // The list below the code is fetched at the same time.
            try await page.wait(for: "document.querySelector(\".sheet img\")?.naturalWidth")
            try await page.wait(for: "document.querySelector(\".sheet ul > *\")")
        },
        Screen(name: "invitation-account") { page, environment, _ in
            try await page.open(try await environment.hub.invitation(["account", "carol", "--name", "Carol"]))
            try await page.wait(for: "document.querySelector(\"input[name=displayName]\")")
            try await page.run("document.querySelector(\"form [type=submit]\").click();")
        },
        Screen(name: "invitation-owner") { page, environment, _ in
            try await page.open(environment.hub.url)
            try await page.wait(for: "document.querySelector(\"form\")")
            try await page.openOffer("result: { kind: \"owner\", expiresAt: \"2030-01-01T00:00:00.000Z\" }")
            try await page.wait(for: "document.querySelector(\"input[name=displayName]\")")
        },
        Screen(name: "invitation-refused") { page, environment, _ in
            try await page.open(try await environment.hub.invitation(["account", "carol"]))
            try await page.wait(for: "document.querySelector(\"input[name=displayName]\")")
            try await page.run(
                """
                const { form } = document.querySelector("input[name=password]");
                form.password.value = "password1";
                form.password.dispatchEvent(new Event("input", { bubbles: true }));
                form.requestSubmit();
                """
            )
            try await page.wait(for: "document.querySelector(\".error\").innerText")
        },
        Screen(name: "invitation-guest") { page, environment, _ in
            try await page.open(try await environment.hub.invitation(["guest", "generic:bob", "--guest-names"]))
            try await page.wait(for: "document.querySelector(\"input[name=guestName]\")")
        },
        Screen(name: "invitation-unknown") { page, environment, _ in
            try await page.open(environment.hub.url + "#i=AAAAAAAAAAAAAAAAAAAAAA")
            try await page.wait(for: "document.querySelector(\".card [role=alert]\")")
        },
    ]
}

extension ChromiumPage {
    /// Opens the sheet that invites, by the row of the settings.
    func openInviting() async throws {
        try await wait(for: "document.querySelector(\".row.open\")")
        try await run(
            """
            const { t } = await import("/phone/text.js");
            [...document.querySelectorAll(".row.open")].find((one) => one.innerText.trim() === t("invite")).click();
            """
        )
        try await wait(for: "document.querySelector(\".sheet [type=submit]\")")
    }

    /// Opens an invitation to which a scripted server answers, in JavaScript members.
    fileprivate func openOffer(_ answer: String) async throws {
        try await run(
            """
            globalThis.WebSocket = class {
                constructor() { setTimeout(() => this.onopen()); }
                send() { setTimeout(() => this.onmessage({ data: JSON.stringify({ \(answer) }) })); }
                close() {}
            };
            location.hash = "i=AAAAAAAAAAAAAAAAAAAAAA";
            """
        )
    }
}
