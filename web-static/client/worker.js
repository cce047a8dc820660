import { Sound } from "../audio/sound.js";
import { Session } from "./session.js";

let era = 0;
const sound = new Sound({
	send: (bytes) => session.send(bytes),
	report: (message) => self.postMessage({ from: "sound", ...message }),
	clock: () => performance.now(),
});
const session = new Session((message) => self.postMessage({ from: "session", era, ...message }), sound);

self.onmessage = ({ data }) => {
	if (data.to === "sound") return sound.ports(data);
	era = data.era ?? era;
	session[data.do](data);
};
