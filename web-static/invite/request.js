/** Sends a request before the sign-in, on a connection of its own. */
export const ask = (method, params) => new Promise((resolve, reject) => {
	const url = new URL("../v1", import.meta.url);
	url.protocol = url.protocol.replace("http", "ws");
	const socket = new WebSocket(url, "callhub.v1");
	socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
	socket.onclose = () => reject({ name: "unreachable" });
	socket.onmessage = ({ data }) => {
		const { result, error } = JSON.parse(data);
		if (error) reject({ ...error, name: error.data?.name });
		else resolve(result);
		socket.close(1000);
	};
});
