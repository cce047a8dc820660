import BrowserKit

extension Screen {
    /// The home screen, the page of a person, and Recents.
    static let people: [Screen] = [
        Screen(name: "home-empty") { page, environment, _ in try await page.signedIn(environment) },
        Screen(name: "people") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
        },
        Screen(name: "people-many") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse(people: crowd)
        },
        Screen(name: "search") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.search("an")
        },
        Screen(name: "search-typed") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.search("zuzana")
        },
        Screen(name: "dial") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.change("{ showsKeypad: true }")
            try await page.search("49")
            try await page.wait(for: "document.querySelector(\".dial-pad\")")
        },
        Screen(name: "person") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("document.querySelector(\".people-list .icon-more\").closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".person-pane\")")
        },
        Screen(name: "person-calls") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("document.querySelectorAll(\".people-list .icon-more\")[1].closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".person-pane time\")")
        },
        Screen(name: "contact") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.run("document.querySelector(\".icon-add\").closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".sheet form\")")
        },
        Screen(name: "contact-edit") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("document.querySelector(\".people-list .icon-more\").closest(\"button\").click();")
            try await page.wait(for: "document.querySelector(\".person-actions button\")")
            try await page.run("document.querySelector(\".person-actions button\").click();")
            try await page.wait(for: "document.querySelector(\".sheet form\")")
        },
        Screen(name: "shortcuts") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.press("?", modifiers: 8)
            try await page.wait(for: "document.querySelector(\".layer\")")
        },
        Screen(name: "banners") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            let handle = "{ type: \"generic\", value: \"bob\" }"
            try await page.change("{ hasUpdate: true, soundProblem: \"permission\", link: { handle: \(handle) } }")
            try await page.wait(for: "document.querySelector(\".banner\")")
        },
        Screen(name: "recents-empty") { page, environment, _ in try await page.signedIn(environment, tab: 2) },
        Screen(name: "recents") { page, environment, _ in
            try await page.signedIn(environment, tab: 2)
            try await page.showRecents()
            try await page.wait(for: "document.querySelector(\".recent\")")
        },
        Screen(name: "disturb") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run("await (await import(\"/phone/account.js\")).set({ doNotDisturb: true });")
            try await page.wait(for: "document.querySelector(\".banner .icon-moon\")")
        },
        Screen(name: "disturb-hours") { page, environment, _ in
            try await page.signedIn(environment)
            try await page.showHouse()
            try await page.run(
                """
                const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
                const hour = (change) => `${String((new Date().getUTCHours() + 24 + change) % 24).padStart(2, "0")}:00`;
                const quietHours = [{ days, from: hour(-1), to: hour(2) }];
                await (await import("/phone/account.js")).set({ quietHours, timeZone: "UTC" });
                """
            )
            try await page.wait(for: "document.querySelector(\".banner .icon-moon\")")
        },
    ]

    /// Thirty people in three departments, with each presence.
    static let crowd = """
        "Ann Lee,Bob Novák,Carol Dvořáková,Dan Smith,김민준,이서연,박도윤,최지우,Erin O’Neill,Filip Svoboda,Gita Rao,\
        Hana Procházková,Ivan Horák,Jana Veselá,Karel Němec,Lucie Krejčí,Marta Pokorná,Noah Weber,Olga Marková,\
        Petr Beneš,Quentin Dubois,Radka Fialová,Sofia Rossi,Tomáš Kučera,Uma Patel,Václav Zelený,Wei Zhang,\
        Xenia Petrova,Yusuf Demir,Zoe Maximiliane von Hohenstein-Wolkersdorf".split(",").map((name, index) => ({
            handle: { type: "generic", value: `user${index}` }, name,
            department: ["Sales", "Customer support", ""][index % 3],
            presence: ["free", "onCall", "away", "doNotDisturb", "offline"][index % 5],
        }))
        """
}

extension ChromiumPage {
    fileprivate func search(_ text: String) async throws {
        try await run("(await import(\"/phone/actions.js\")).type(text);", ["text": .string(text)])
        try await wait(for: "document.querySelector(\"[role=row]\")")
    }

    /// Fills the home screen with people, a favourite and calls.
    func showHouse(people: String = house) async throws {
        try await scriptDirectory(people)
        let number: JSON = [["type": "phoneNumber", "value": "+49 30 901820"]]
        try await putContact("Jürgen Müller-Lüdenscheidt", number, ["favorite": true])
        try await showRecents()
        try await wait(for: "document.querySelectorAll(\".people-list .row\").length > 5")
    }

    fileprivate func showRecents() async throws {
        try await run(
            """
            const calls = [
                ["ann", "incoming", "missed", 1], ["+82 2 120", "outgoing", "answered", 30],
                ["bob", "outgoing", "declined", 31], ["carol", "incoming", "answered", 50],
            ];
            const recents = calls.map(([value, direction, outcome, hours]) => ({
                id: value, handle: { type: value.startsWith("+") ? "phoneNumber" : "generic", value }, name: value,
                direction, outcome, duration: 70, startedAt: new Date(Date.now() - hours * 3.6e6).toISOString(),
            }));
            (await import("/phone/state.js")).change({ recents });
            """
        )
    }
}
