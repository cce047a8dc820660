import BrowserKit

extension ChromiumPage {
    /// Replaces the hub's answers about people in this phone, and notes all requests in `asked`.
    ///
    /// - Parameter people: The people of the directory, as JavaScript; nil: the hub does not know the methods.
    /// - Throws: ``BrowserError`` when the page throws.
    func scriptDirectory(_ people: String?) async throws {
        try await run(
            """
            const { hub } = await import("/phone/hub.js");
            globalThis.asked = [];
            globalThis.people = \(people ?? "null");
            globalThis.tell = (...changed) => hub.emit("notification", {
                method: "people.changed",
                params: { people: changed.map(([name, presence, until]) => Object.assign(person(name), { presence, until })) },
            });
            globalThis.person = (name) => people.find(({ handle }) => handle.value === name)
                ?? { handle: { type: "generic", value: name }, presence: "unknown" };
            const answers = {
                "people.list": ({ search = "" }) => ({
                    people: people.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())),
                }),
                "people.subscribe": ({ handles }) => ({ people: handles.map(({ value }) => person(value)) }),
                "presence.set": () => ({}),
            };
            const { request } = hub;
            hub.request = async (method, params) => {
                asked.push([method, params]);
                if (!answers[method]) return request.call(hub, method, params);
                if (!people) throw Object.assign(new Error("Method not found"), { code: -32601, name: "methodNotFound" });
                return answers[method](params);
            };
            await (await import("/phone/presence.js")).loadPeople();
            """
        )
    }

    /// Stores a contact, whose handle is of the type `generic` unless it is given.
    func putContact(_ name: String, _ handles: JSON, _ more: [String: JSON] = [:]) async throws {
        try await run(
            """
            const { putContact } = await import("/phone/account.js");
            await putContact({ identifier: name, name, handles, ...more });
            """,
            ["name": .string(name), "handles": handles, "more": .object(more)]
        )
    }

    /// Notes the handles that this phone calls in `called`, and calls nobody.
    func noteCalls() async throws {
        try await run(
            """
            globalThis.called = [];
            const { hub } = await import("/phone/hub.js");
            hub.call = async ({ value }) => { called.push(value); throw new Error("a test"); };
            """
        )
    }
}

/// The rows of the home screen, as text.
let rowTexts = """
    [...document.querySelectorAll(".people-list .row")].map(one => one.innerText.replace(/\\s+/g, " ").trim())
    """

/// A house of four.
let house = """
    [["ann", "Ann Lee", "Sales", "free"], ["bob", "Bob", "", "onCall"], ["cid", "Cid", "Sales", "doNotDisturb"],
        ["dan", "Dan", "", "offline"]].map(([value, name, department, presence]) =>
            ({ handle: { type: "generic", value }, name, department, presence }))
    """
