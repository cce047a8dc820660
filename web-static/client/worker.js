import { RTPSession } from "../audio/rtp-session.js";
import { Session } from "./session.js";

let generation = 0;
const sound = new RTPSession({
	send: (bytes) => session.send(bytes),
	report: (message) => self.postMessage({ from: "sound", ...message }),
	clock: () => performance.now(),
});
const session = new Session((message) => self.postMessage({ from: "session", generation, ...message }), sound);

self.onmessage = ({ data }) => {
	if (data.to === "sound") return sound.configure(data);
	generation = data.generation ?? generation;
	session[data.command](data);
};
