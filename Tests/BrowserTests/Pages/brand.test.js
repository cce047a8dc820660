import { brandName, legible, loadInformation, logoURL } from "../phone/brand.js";
import { render } from "../phone/dom.js";
import { state } from "../phone/state.js";
import { loadLanguage } from "../phone/text.js";
import { app } from "../phone/views/app.js";
import { equal, near, test } from "./harness.js";

loadLanguage();

/** The luminance that a browser gives a colour on a light and on a dark page. */
function luminances(color) {
    const element = document.body.appendChild(document.createElement("p"));
    element.style.color = legible(color);
    const found = ["light", "dark"].map((scheme) => {
        element.style.colorScheme = scheme;
        return Number(getComputedStyle(element).color.match(/[\d.e-]+(?= [\d.e-]+\))/)[0]);
    });
    element.remove();
    return found;
}

const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
// --soft of tokens.css, or a little more.
const [lightGround, darkGround] = [0.829, 0.0239];

test("a colour that is legible stays as it is", () => {
    near(luminances("#3f5bd9")[0], 0.1355, 0.001);
    near(luminances("#9db1ff")[1], 0.46, 0.02);
});

test("any colour becomes legible on a light ground and on a dark one", () => {
    for (const color of ["#000000", "#ffffff", "#ffee00", "#7f7f7f", "#FF0000", "#00ff00", "#0000ff"]) {
        const [dark, light] = luminances(color);
        const found = [contrast(dark, lightGround), contrast(light, darkGround)];
        if (!(Math.min(...found) >= 4.5)) throw new Error(`${color}: ${found}`);
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
