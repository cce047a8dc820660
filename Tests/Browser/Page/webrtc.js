/** A WebRTC call between two pages, with which `make bench-browser` compares the phone; the test carries the descriptions. */
const connection = new RTCPeerConnection();
connection.ontrack = ({ streams }) => {
    document.querySelector("audio").srcObject = streams[0];
};

globalThis.rtc = {
    /** Opens the microphone as the phone does. */
    async begin() {
        const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
        const stream = await navigator.mediaDevices.getUserMedia({ audio });
        for (const track of stream.getTracks()) connection.addTrack(track, stream);
    },

    /** Takes the other page's description if there is one; returns this page's with all its candidates. */
    async describe(remote) {
        if (remote) await connection.setRemoteDescription(remote);
        if (connection.signalingState === "stable" && remote) return null;
        await connection.setLocalDescription();
        while (connection.iceGatheringState !== "complete") {
            await new Promise(then => connection.addEventListener("icegatheringstatechange", then, { once: true }));
        }
        return connection.localDescription.toJSON();
    },

    /** The packets received so far. */
    async received() {
        const reports = [...(await connection.getStats()).values()];
        return reports.find(({ type }) => type === "inbound-rtp")?.packetsReceived ?? 0;
    },
};
