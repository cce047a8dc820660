import { brandName, contrast, legible, loadInformation, logoURL } from "../phone/brand.js";
import { render } from "../phone/dom.js";
import { state } from "../phone/state.js";
import { loadLanguage } from "../phone/text.js";
import { app } from "../phone/views/app.js";
import { equal, test } from "./harness.js";

loadLanguage();

const parts = (text) => text.match(/\d+/g).map(Number);

test("the contrast of black and white is 21, of a colour and itself 1", () => {
    equal(contrast([0, 0, 0], [255, 255, 255]), 21);
    equal(contrast([9, 99, 199], [9, 99, 199]), 1);
});

test("a colour that is legible stays as it is", () => {
    equal(legible("#3f5bd9", [232, 235, 241], 0), "rgb(63 91 217)");
});

test("any colour becomes legible on a light ground and on a dark one", () => {
    for (const color of ["#000000", "#ffffff", "#ffee00", "#7f7f7f", "#FF0000", "#0000ff"]) {
        for (const [ground, end] of [[[232, 235, 241], 0], [[37, 43, 54], 255]]) {
            const found = contrast(parts(legible(color, ground, end)), ground);
            if (found < 4.5) throw new Error(`${color}: ${found}`);
        }
    }
});

test("an answer of any form leaves a page to sign in on", async () => {
    const { fetch } = globalThis;
    const root = document.createElement("div");
    const wrong = [null, 7, "x", [], {}, { authMode: 7 }, { brand: 7 }, { brand: { name: {}, color: "red", logo: "//a/b" } }];
    try {
        const answers = [...wrong.map((value) => Response.json(value)), new Response("<"), Response.error()];
        for (const answer of answers) {
            globalThis.fetch = async () => answer;
            await loadInformation();
            Object.assign(state, { isStarting: false, connection: "signedOut", overlay: null, link: null, isGuest: false });
            render(root, app());
            equal([...root.querySelectorAll("input")].map(({ name }) => name), ["account"]);
            equal([brandName(), logoURL()], ["CallHub", null]);
        }
    } finally {
        globalThis.fetch = fetch;
    }
});

test("a logo is only taken from the server itself", () => {
    for (const [logo, url] of [
        ["/v1/logo", "v1/logo"], ["", null], ["v1/logo", null], ["//evil.example/x", null], ["/\\evil", null],
        ["https://evil.example/x", null], ["/v1/../x", "v1/../x"],
    ]) {
        Object.assign(state, { information: { brand: { name: "", color: "", logo } } });
        equal(logoURL(), url);
    }
    state.information = null;
});
