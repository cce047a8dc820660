import BrowserKit
import Foundation
import Testing

extension BrowserSuite {
    /// Tests of one's own account in the page: photo, password, devices, and passkeys by Chromium's own authenticator.
    struct AccountTests {
        private static let password = "Rosenkohl und Spinat"
        private static let settings: [String: JSON] = [
            "auth": ["mode": "accounts", "passwordMegabytes": 8, "passwordPasses": 1, "selfRegistration": true]
        ]

        private static func set(
            _ body: (BrowserTestEnvironment, OpenPages, String) async throws -> Void
        ) async throws {
            try await BrowserTestEnvironment.set(settings: settings) { environment, pages in
                try await body(environment, pages, "http://localhost:\(environment.hub.port)/")
            }
        }

        @Test func `a passkey is added, signs in, is renamed, and is refused once it is removed`() async throws {
            try await Self.set { environment, pages, url in
                let page = try await environment.page(pages)
                try await page.register("alice", Self.password, at: url)
                try await page.addAuthenticator()
                try await page.signIn("alice", Self.password)
                try await page.openAccount()
                try await page.enter("passkey-password", "wrong guess")
                try await page.choose("Add a passkey", within: ".sheet")
                try await page.wait(for: "document.querySelector(\".sheet\").innerText.includes(\"password is wrong\")")
                try await page.enter("passkey-password", Self.password)
                try await page.choose("Add a passkey", within: ".sheet")
                try await page.wait(for: "document.querySelector(\".sheet li input\")")
                let name = "(await bench.hub.request(\"passkeys.list\")).passkeys[0].name"
                try await page.bench()
                try await page.run(
                    """
                    const input = document.querySelector(".sheet li input");
                    input.value = "My key";
                    input.dispatchEvent(new Event("change"));
                    """
                )
                try await page.wait(for: "\(name) === \"My key\"")
                try await page.signOutOfPhone()
                try await page.choose("Sign in with a passkey")
                try await page.wait(for: "document.querySelector(\".shell\")")
                #expect(try await page.value("(await import(\"/phone/state.js\")).state.account") == "alice")
                try await page.openAccount()
                try await page.wait(for: "document.querySelector(\".sheet li\")?.innerText.includes(\"last used\")")
                let violations = try await page.accessibilityViolations()
                #expect(violations == [])

                try await page.choose("Delete", within: ".sheet li")
                #expect(try await page.value("document.querySelectorAll(\".sheet li\").length") == 1, "it asks")
                try await page.choose("Remove?", within: ".sheet li")
                try await page.wait(for: "!document.querySelector(\".sheet li\")")
                try await page.signOutOfPhone()
                try await page.choose("Sign in with a passkey")
                try await page.wait(for: "document.querySelector(\".error\").innerText.includes(\"does not know\")")
            }
        }

        @Test func `a user without a password adds a passkey by another one`() async throws {
            try await Self.set { environment, pages, url in
                let page = try await environment.page(pages)
                try await page.register("alice", Self.password, at: url)
                let first = try await page.addAuthenticator()
                try await page.signIn("alice", Self.password)
                try await page.openAccount()
                #expect(
                    try await page.value("document.querySelector(\".sheet\").innerText.includes(\"another passkey\")")
                        == false
                )
                try await page.enter("passkey-password", Self.password)
                try await page.choose("Add a passkey", within: ".sheet")
                try await page.wait(for: "document.querySelectorAll(\".sheet li\").length === 1")
                // The authenticator has a passkey of the account, and makes no other one: a new one is used for it.
                try await page.choose("Add with another passkey", within: ".sheet")
                try await page.wait(for: "document.querySelector(\".sheet\").innerText.includes(\"already\")")
                try await page.run(
                    """
                    const { credentials } = navigator, create = credentials.create.bind(credentials);
                    credentials.create = async (options) => {
                        await new Promise((go) => { globalThis.go = go; });
                        return create(options);
                    };
                    """
                )
                try await page.choose("Add with another passkey", within: ".sheet")
                try await page.wait(for: "typeof globalThis.go === \"function\"")
                try await page.send("WebAuthn.removeVirtualAuthenticator", ["authenticatorId": first])
                try await page.addAuthenticator()
                try await page.run("go();")
                try await page.wait(for: "document.querySelectorAll(\".sheet li\").length === 2")
                let violations = try await page.accessibilityViolations()
                #expect(violations == [])
            }
        }

        @Test func `under an IP address the page offers no passkeys, and says why`() async throws {
            try await Self.set { environment, pages, _ in
                let page = try await environment.page(pages)
                try await page.register("alice", Self.password, at: environment.hub.url)
                #expect(try await page.value("document.body.innerText.includes(\"passkey\")") == false)
                try await page.signIn("alice", Self.password)
                try await page.openAccount()
                try await page.wait(for: "document.querySelector(\".sheet\").innerText.includes(\"IP address\")")
                #expect(try await page.value("document.querySelector(\"[name=passkey-password]\")") == .null)
            }
        }

        @Test func `a new password signs the other devices out and the call goes on`() async throws {
            try await Self.set { environment, pages, url in
                let (here, there) = (try await environment.page(pages), try await environment.page(pages))
                try await here.register("alice", Self.password, at: url)
                try await here.signIn("alice", Self.password)
                try await there.open(url)
                try await there.signIn("alice", Self.password)
                try await here.bench()
                try await here.run("globalThis.call = await bench.hub.call(\"echo\");")
                try await here.wait(for: "call.state === \"connected\"")
                try await here.openAccount()
                for (next, text) in [("short", "8"), ("password1", "common")] {
                    try await here.enter("current", Self.password)
                    try await here.enter("next", next)
                    try await here.choose("Change password", within: ".sheet")
                    try await here.wait(
                        for: "document.querySelector(\".sheet .error\").innerText.includes(\"\(text)\")"
                    )
                }
                try await here.enter("next", "Spinat und Rosenkohl")
                try await here.choose("Change password", within: ".sheet")
                try await here.wait(for: "document.querySelector(\".toast\")?.innerText.includes(\"changed\")")
                #expect(try await here.value("document.querySelector(\"[name=current]\").value") == "")
                try await there.wait(for: "document.querySelector(\"input[name=account]\")")
                #expect(try await here.value("call.state") == "connected")
                try await there.signIn("alice", "Spinat und Rosenkohl")
            }
        }

        @Test func `one press and its confirmation sign out all other devices`() async throws {
            try await Self.set { environment, pages, url in
                let (here, there) = (try await environment.page(pages), try await environment.page(pages))
                try await here.register("alice", Self.password, at: url)
                try await here.signIn("alice", Self.password)
                try await there.open(url)
                try await there.signIn("alice", Self.password)
                try await here.choose("Settings", within: "nav")
                try await here.choose("Signed-in devices", within: ".settings")
                try await here.wait(for: "document.querySelectorAll(\".sheet li\").length === 2")
                try await here.choose("Sign out all other devices", within: ".sheet")
                try await here.choose("Sign out 1 device", within: ".sheet")
                try await there.wait(for: "document.querySelector(\"input[name=account]\")")
                try await here.wait(for: "document.querySelectorAll(\".sheet li\").length === 1")
            }
        }

        @Test func `one's own photo is shown to others, in the list and when one calls`() async throws {
            try await Self.set { environment, pages, url in
                let (alice, bob) = (try await environment.page(pages), try await environment.page(pages))
                try await alice.register("alice", Self.password, at: url)
                try await bob.register("bob", Self.password, at: url)
                try await alice.signIn("alice", Self.password)
                try await bob.signIn("bob", Self.password)
                try await alice.openAccount()
                try await alice.run(
                    """
                    const canvas = new OffscreenCanvas(300, 200);
                    Object.assign(canvas.getContext("2d"), { fillStyle: "red" }).fillRect(0, 0, 300, 200);
                    const files = new DataTransfer();
                    files.items.add(new File([await canvas.convertToBlob()], "a.png"));
                    const input = document.querySelector(".sheet [type=file]");
                    input.files = files.files;
                    input.dispatchEvent(new Event("change"));
                    """
                )
                let shown = { (place: String) in
                    "document.querySelector(\"\(place) .avatar img\")?.naturalWidth === 96"
                }
                try await alice.wait(for: shown(".sheet"))
                try await bob.wait(for: shown(".people-list"))
                try await bob.choose("Settings", within: "nav")
                try await alice.bench()
                try await alice.run("await bench.hub.call(\"bob\");")
                try await bob.wait(for: shown(".incoming"))
                try await alice.choose("Remove photo", within: ".sheet")
                try await alice.choose("Press again", within: ".sheet")
                try await alice.wait(for: "!document.querySelector(\".sheet .avatar img\")")
                try await bob.wait(for: "!document.querySelector(\".incoming .avatar img\")")
            }
        }
    }
}

extension ChromiumPage {
    /// Opens the phone and creates an account.
    fileprivate func register(_ name: String, _ password: String, at url: String) async throws {
        try await open(url)
        try await wait(for: "document.querySelector(\"input[name=account]\")")
        try await run(
            """
            const { ask } = await import("/invite/request.js");
            await ask("account.register", { account: name, password });
            """,
            ["name": .string(name), "password": .string(password)]
        )
    }

    fileprivate func signIn(_ name: String, _ password: String) async throws {
        try await wait(for: "document.querySelector(\"input[name=password]\")")
        try await enter("account", name)
        try await enter("password", password)
        try await choose("Sign in")
        try await wait(for: "document.querySelector(\".shell\")")
    }

    func signOutOfPhone() async throws {
        try await run("const { change } = await import(\"/phone/state.js\"); change({ overlay: null });")
        try await choose("Sign out", within: ".settings")
        try await wait(for: "document.querySelector(\"input[name=account]\")")
    }

    func openAccount() async throws {
        try await choose("Settings", within: "nav")
        try await choose("Photo, password", within: ".settings")
        try await wait(for: "document.querySelector(\".sheet form\")")
    }

    fileprivate func bench() async throws {
        try await run("globalThis.bench = await import(\"/phone/hub.js\");")
    }

    /// Types into a field at once, as a password manager does.
    fileprivate func enter(_ name: String, _ text: String) async throws {
        try await run(
            """
            const input = document.querySelector(`[name="${name}"]`);
            input.value = text;
            input.dispatchEvent(new Event("input", { bubbles: true }));
            """,
            ["name": .string(name), "text": .string(text)]
        )
    }

    /// Gives the page a platform authenticator, whose user always agrees; its ID.
    @discardableResult
    func addAuthenticator() async throws -> JSON {
        try await send("WebAuthn.enable")
        let added = try await send(
            "WebAuthn.addVirtualAuthenticator",
            [
                "options": [
                    "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
                    "isUserVerified": true, "automaticPresenceSimulation": true,
                ]
            ]
        )
        return added["authenticatorId"]
    }
}
