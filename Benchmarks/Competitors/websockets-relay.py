"""A relay on the `websockets` library of PyPI, as its documentation has one write a server (asyncio).

Passes messages between the two connections that open /pair/N with the same N. No compression and no pings of its
own, so that nothing but the relaying is measured. With `--uvloop` on uvloop's event loop.
"""

import asyncio
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

waiting = {}
peers = {}


def join(connection):
    """Pairs the connection with the one that opened the same path."""
    path = connection.request.path
    peer = waiting.pop(path, None)
    if peer is None:
        waiting[path] = connection
    else:
        peers[connection], peers[peer] = peer, connection


async def relay(connection):
    join(connection)
    try:
        async for message in connection:
            peer = peers.get(connection)
            if peer is not None:
                await peer.send(message)
    except ConnectionClosed:
        pass
    finally:
        waiting.pop(connection.request.path, None)
        peers.pop(peers.pop(connection, None), None)


async def main():
    options = {"compression": None, "ping_interval": None, "max_size": 65536, "close_timeout": 1, "backlog": 1024}
    async with serve(relay, "127.0.0.1", 0, **options) as server:
        print("127.0.0.1:%d" % server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if "--uvloop" in sys.argv[1:]:
    import uvloop

    uvloop.run(main())
else:
    asyncio.run(main())
