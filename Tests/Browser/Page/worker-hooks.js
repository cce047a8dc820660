/** Changes a worker's browser as its address says: `without=NAME` takes a class away, `loses=20` each twentieth packet. */
const wishes = new URLSearchParams(location.search);
for (const name of wishes.getAll("without")) delete globalThis[name];

const loses = Number(wishes.get("loses"));
if (loses > 0) {
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    let packets = 0;
    const isLost = data => data instanceof ArrayBuffer && (new Uint8Array(data)[1] & 0x7f) === 111
        && ++packets % loses === 0;
    Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(handle) {
            set.call(this, event => isLost(event.data) || handle(event));
        },
    });
}
