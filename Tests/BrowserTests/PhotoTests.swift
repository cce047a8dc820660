import BrowserKit
import Testing

extension BrowserSuite {
    /// Tests of the photos and ringtones of contacts.
    struct PhotoTests {
        @Test func `the photo of a vCard is shown in the list, on the person's page and on the cards of calls`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.importCard(of: "bob")
                try await alice.wait(for: shows(".people-list"))
                #expect(
                    try await alice.value("\(rowTexts)[0]").text?.hasPrefix("B bob") == true,
                    "the name is unchanged"
                )
                try await alice.choose("About bob")
                try await alice.wait(for: shows(".person-head"))
                try await bob.run("globalThis.call = await bench.hub.call(\"alice\");")
                try await alice.wait(for: shows(".incoming"))
                #expect(
                    try await alice.value("document.querySelector(\".incoming .avatar\").ariaHidden") == "true",
                    "a photo is decoration"
                )
                try await alice.choose("Accept")
                try await alice.wait(for: shows(".main-card"))
                try await bob.run("await call.end();")
                #expect(alice.loggedErrors == [])
            }
        }

        @Test func `a photo is asked for once, and comes from the cache after a reload and in a second tab`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                for (count, name) in [(1, "bob"), (2, "eve")] {
                    try await page.importCard(of: name, color: count == 1 ? "red" : "lime")
                    try await page.wait(for: shows(".people-list", count: count))
                }
                try await page.reload()
                try await page.wait(for: shows(".people-list", count: 2))
                let second = try await page.secondTab()
                pages.all.append(second)
                try await second.open(environment.hub.url)
                try await second.choose("Use CallHub here")
                try await second.wait(for: shows(".people-list", count: 2))
                // Both tabs are in one context, whose cache has each photo under its hash.
                let cached = "(await (await caches.open(\"callhub photos\")).keys()).length"
                #expect(try await second.value(cached) == 2)
                try await second.run(
                    """
                    const { hub } = await import("/phone/hub.js");
                    const { request } = hub;
                    globalThis.asked = [];
                    hub.request = (method, params) => {
                        asked.push(method);
                        return request.call(hub, method, params);
                    };
                    const { change, state } = await import("/phone/state.js");
                    change({ photos: {} });
                    """
                )
                try await second.wait(for: shows(".people-list", count: 2))
                #expect(try await second.value("asked.includes(\"contacts.photo\")") == .bool(false))
                try await second.run("(await import(\"/phone/sign-in.js\")).signOut();")
                try await second.wait(for: "!(await caches.has(\"callhub photos\"))")
                #expect(
                    try await second.value("JSON.stringify((await import(\"/phone/state.js\")).state.photos)") == "{}"
                )
            }
        }

        @Test func `no more than four photos are asked for at a time, and the list does not wait for them`()
            async throws
        {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    """
                    const { hub } = await import("/phone/hub.js");
                    const { request } = hub;
                    globalThis.waiting = [];
                    globalThis.fail = false;
                    hub.request = (method, params) => (method !== "contacts.photo" ? request.call(hub, method, params)
                        : new Promise((done, refuse) => waiting.push(() => (fail
                            ? refuse(Object.assign(new Error("a test"), { code: 429 })) : done(request.call(hub, method, params))))));
                    const { putContact } = await import("/phone/account.js");
                    for (let index = 0; index < 7; index++) {
                        const canvas = new OffscreenCanvas(8 + index, 8);
                        canvas.getContext("2d").fillRect(0, 0, 8, 8);
                        const { scalePhoto } = await import("/phone/photos.js");
                        const name = `Person ${index}`;
                        const photo = await scalePhoto(await canvas.convertToBlob());
                        const stored = { identifier: name, name, handles: [{ type: "generic", value: `p${index}` }] };
                        await request.call(hub, "contacts.put", { ...stored, photo });
                    }
                    await (await import("/phone/account.js")).loadContacts();
                    """
                )
                try await page.wait(for: "\(rowTexts).length === 7 && waiting.length === 4")
                #expect(try await page.value("document.querySelectorAll(\".avatar img\").length") == 0)
                // A refused one is asked for again with the next render, and the others all come.
                try await page.run("fail = true; waiting.shift()(); await 0; fail = false;")
                try await page.run(
                    """
                    globalThis.most = 0;
                    globalThis.timer = setInterval(() => {
                        most = Math.max(most, waiting.length);
                        waiting.shift()?.();
                    }, 5);
                    """
                )
                try await page.wait(for: shows(".people-list", count: 7))
                #expect(try await page.value("most <= 4") == .bool(true))
                try await page.run("clearInterval(timer);")
            }
        }

        @Test func `a photo is chosen and removed in the sheet of a contact`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.putContact("bob", [["type": "generic", "value": "bob"]], ["ringtone": "no-such-one"])
                let contact = "(await bench.hub.request(\"contacts.list\")).contacts[0]"
                try await page.choose("About bob")
                try await page.choose("Edit contact", within: ".person-pane")
                try await page.wait(for: "document.querySelector(\".sheet [type=file]\")")
                #expect(
                    try await page.value("document.querySelector(\".sheet\").innerText.includes(\"Remove photo\")")
                        == .bool(false)
                )
                try await page.give("new File([\"no image\"], \"a.png\")", to: ".sheet [type=file]")
                try await page.wait(for: "document.querySelector(\".toast\")?.innerText.includes(\"not an image\")")
                try await page.give("new File([await picture(\"red\")], \"a.png\")", to: ".sheet [type=file]")
                try await page.wait(for: shows(".sheet"))
                #expect(try await page.value("\(contact).photoHash ?? null") == .null, "not stored yet")
                try await page.choose("Save", within: ".sheet")
                try await page.wait(for: "\(contact).photoHash")
                #expect(try await page.value("\(contact).ringtone") == "no-such-one", "an unknown name is kept")
                try await page.wait(for: shows(".people-list"))
                try await page.wait(for: shows(".person-head"))
                try await page.choose("Edit contact", within: ".person-pane")
                try await page.wait(for: shows(".sheet"))
                try await page.choose("Remove photo", within: ".sheet")
                try await page.wait(for: "!document.querySelector(\".sheet .avatar img\")")
                try await page.choose("Save", within: ".sheet")
                try await page.wait(for: "!\(contact).photoHash")
                try await page.wait(for: "!document.querySelector(\".avatar img\")")
            }
        }

        @Test func `an imported photo that does not fit is left out, and its contact is not`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.run(
                    """
                    const { hub } = await import("/phone/hub.js");
                    const { request } = hub;
                    hub.request = (method, params) => (method === "contacts.put" && params.photo
                        ? Promise.reject(Object.assign(new Error("full"), { code: 429 })) : request.call(hub, method, params));
                    """
                )
                try await page.importCard(of: "bob")
                let contact = "(await bench.hub.request(\"contacts.list\")).contacts[0]"
                try await page.wait(for: "\(contact)?.name === \"bob\" && !\(contact).photoHash")
                try await page.wait(
                    for: "document.querySelector(\".banner[role=status]\")?.innerText.startsWith(\"1 \")"
                )
            }
        }

        @Test func `the data that a user downloads has the photos of the contacts`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let page = try await environment.page(pages)
                try await page.signIn(by: "alice", at: environment.hub.url, speaking: PageTone.alice)
                try await page.putContact("eve", [["type": "generic", "value": "eve"]])
                try await page.importCard(of: "bob")
                try await page.wait(for: shows(".people-list"))
                try await page.run(
                    """
                    URL.createObjectURL = (blob) => {
                        globalThis.saved = blob;
                        return "#";
                    };
                    HTMLAnchorElement.prototype.click = () => {};
                    await (await import("/account/data.js")).exportAll();
                    """
                )
                let photos = "JSON.parse(await saved.text()).contacts.map(one => one.photo?.slice(0, 4) ?? null)"
                #expect(try await page.value(photos) == [.null, "/9j/"])
            }
        }

        @Test func `a call plays the ringtone of its contact, and an unknown one the user's own`() async throws {
            try await BrowserTestEnvironment.set { environment, pages in
                let (alice, bob) = try await environment.phoneAndCaller(pages)
                try await alice.putContact("bob", [["type": "generic", "value": "bob"]])
                try await alice.run(
                    """
                    globalThis.played = [];
                    const { tones } = bench.hub.audio;
                    const { startNotes } = tones;
                    tones.startNotes = (tone) => {
                        played.push(tone.notes.length);
                        return startNotes.call(tones, tone);
                    };
                    """
                )
                try await alice.choose("About bob")
                let select = "document.querySelector(\".person-pane select\")"
                try await alice.wait(for: select)
                #expect(
                    try await alice.value("\(select).selectedOptions[0].innerText") == "My ringtone",
                    "until another one is chosen"
                )
                let contact = "(await bench.hub.request(\"contacts.list\")).contacts[0]"
                let notes = { (name: String) in
                    try await alice.value("(await import(\"/audio/tones.js\")).RINGTONES.\(name).notes.length")
                }
                for (chosen, played) in [("trill", "trill"), ("marimba", "marimba"), ("", "bell")] {
                    try await alice.run(
                        "\(select).value = \"\(chosen)\"; \(select).dispatchEvent(new Event(\"change\", { bubbles: true }));"
                    )
                    let wanted: JSON = chosen == "" ? .null : .string(chosen)
                    try await alice.wait(for: "(\(contact).ringtone ?? null) === wanted", ["wanted": wanted])
                    #expect(try await alice.value("played.splice(0)") == [notes(played)], "a sample")
                    try await alice.rings(bob, notes(played))
                }
                try await alice.putContact("bob", [["type": "generic", "value": "bob"]], ["ringtone": "no-such-one"])
                try await alice.rings(bob, notes("bell"))
                #expect(try await alice.value("\(select).selectedOptions[0].innerText") == "My ringtone")
            }
        }
    }
}

/// A condition: a place shows photos of 96 by 96 pixels.
private func shows(_ place: String, count: Int = 1) -> String {
    """
    [...document.querySelectorAll("\(place) .avatar img")].filter(one => one.naturalWidth === 96 && one.alt === "")
        .length >= \(count)
    """
}

extension ChromiumPage {
    /// Gives a file, as JavaScript, to a field; `picture(color)` is a PNG image.
    fileprivate func give(_ file: String, to field: String) async throws {
        try await run(
            """
            globalThis.picture = (color) => {
                const canvas = new OffscreenCanvas(300, 200);
                Object.assign(canvas.getContext("2d"), { fillStyle: color }).fillRect(0, 0, 300, 200);
                return canvas.convertToBlob();
            };
            const files = new DataTransfer();
            files.items.add(\(file));
            const input = document.querySelector(field);
            input.files = files.files;
            input.dispatchEvent(new Event("change"));
            """,
            ["field": .string(field)]
        )
    }

    /// Imports the vCard of a person with a photo.
    fileprivate func importCard(of name: String, color: String = "red") async throws {
        try await give(
            """
            new File([`BEGIN:VCARD\\nFN:\(name)\\nIMPP:\(name)\\nPHOTO;ENCODING=b;TYPE=PNG:${btoa(String.fromCharCode(
                ...new Uint8Array(await (await picture("\(color)")).arrayBuffer()))).replace(/.{70}/g, "$&\\n ")}\\nEND:VCARD\\n`],
                "contacts.vcf")
            """,
            to: ".people [type=file]"
        )
    }

    /// Expects a call to play a ringtone with a number of notes.
    fileprivate func rings(_ caller: ChromiumPage, _ notes: JSON) async throws {
        try await caller.run("globalThis.call = await bench.hub.call(\"alice\");")
        try await wait(for: "played.length")
        #expect(try await value("played.splice(0)") == [notes])
        try await caller.run("await call.end();")
        try await wait(for: "!bench.hub.audio.tones.playing")
        try await run("played.length = 0;")
    }
}
