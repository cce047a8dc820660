/*
 * bare-relay: the yardstick of the benchmark.
 *
 * Passes binary WebSocket messages between two connections and knows nothing else: no calls, no accounts, no
 * checks of what a message holds. It is meant to be as cheap as one thread of libwebsockets honestly gets:
 *
 * - libwebsockets on its libuv loop (epoll), which costs half or a quarter of its default poll loop;
 * - one lws_write per message, made directly in the receive callback, so one recv and one send a message;
 * - no copy: ops-ws.c collects a message in `rx_ubuf` behind LWS_PRE spare bytes "so it can be sent straight out
 *   again using lws_write" (its own comment), and a server's frames are not masked, so only the spare bytes are written;
 * - no extensions, so no permessage-deflate.
 *
 * The two connections that open ws://host/pair/N with the same N are each other's peers. The listening address is
 * printed on standard output as `127.0.0.1:PORT`.
 */

#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Higher: more pairs may be open at once; lower: a smaller table. */
    MAXIMUM_PAIRS = 8192,
    /* Higher: fewer fragments of large messages; lower: less memory a connection. */
    RECEIVE_BUFFER = 2048,
    /* Messages kept for a peer whose socket is full. Higher: fewer lost in a stall; lower: fresher after it. */
    PENDING_MESSAGES = 8,
};

/* A message that waits until its receiver's socket takes more. */
struct pending {
    size_t length;
    enum lws_write_protocol flags;
    unsigned char bytes[LWS_PRE + RECEIVE_BUFFER];
};

/* What is kept for a connection, in the memory libwebsockets gives each. */
struct session {
    struct lws *wsi;
    struct session *peer;
    int pair;
    /* Allocated at the first stall and kept: a relay that keeps pace has none. */
    struct pending *queue;
    unsigned int head, count;
};

/* The connection that waits for its peer, by pair number. */
static struct session *waiting[MAXIMUM_PAIRS];

/* Pairs the new connection by the number at the end of its URL; nonzero refuses it. */
static int join(struct session *session, struct lws *wsi)
{
    char path[64];
    int number = 0;
    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0 || sscanf(path, "/pair/%d", &number) != 1
        || number < 0 || number >= MAXIMUM_PAIRS) {
        return -1;
    }
    int on = 1;
    setsockopt(lws_get_socket_fd(wsi), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    session->wsi = wsi;
    session->pair = number;
    session->peer = waiting[number];
    if (session->peer) {
        session->peer->peer = session;
        waiting[number] = NULL;
    } else {
        waiting[number] = session;
    }
    return 0;
}

/* Parts the connection from its peer. */
static void leave(struct session *session)
{
    if (!session->wsi) {
        return;
    }
    if (session->peer) {
        session->peer->peer = NULL;
    } else {
        waiting[session->pair] = NULL;
    }
    free(session->queue);
}

/* Keeps a copy for a receiver whose socket is full; the oldest makes room. */
static void keep(struct session *receiver, const unsigned char *bytes, size_t length, enum lws_write_protocol flags)
{
    if (!receiver->queue && !(receiver->queue = calloc(PENDING_MESSAGES, sizeof *receiver->queue))) {
        return;
    }
    if (receiver->count == PENDING_MESSAGES) {
        receiver->head = (receiver->head + 1) % PENDING_MESSAGES;
        receiver->count--;
    }
    struct pending *entry = &receiver->queue[(receiver->head + receiver->count++) % PENDING_MESSAGES];
    entry->length = length;
    entry->flags = flags;
    memcpy(entry->bytes + LWS_PRE, bytes, length);
    lws_callback_on_writable(receiver->wsi);
}

/* Passes what was received on to the peer, from the buffer it was received in. */
static int pass(struct session *session, unsigned char *bytes, size_t length)
{
    struct session *receiver = session->peer;
    if (!receiver || length > RECEIVE_BUFFER || !lws_frame_is_binary(session->wsi)) {
        return 0;
    }
    enum lws_write_protocol flags = lws_write_ws_flags(
        LWS_WRITE_BINARY, lws_is_first_fragment(session->wsi), lws_is_final_fragment(session->wsi));
    if (receiver->count || lws_partial_buffered(receiver->wsi)) {
        keep(receiver, bytes, length, flags);
        return 0;
    }
    if (lws_write(receiver->wsi, bytes, length, flags) < 0) {
        /* Its own callback learns of the broken socket; the sender is not to be closed for it. */
        lws_set_timeout(receiver->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
    return 0;
}

/* Sends one message that waited: libwebsockets wants one write per writeable callback. */
static int flush(struct session *session)
{
    if (!session->count) {
        return 0;
    }
    struct pending *entry = &session->queue[session->head];
    session->head = (session->head + 1) % PENDING_MESSAGES;
    session->count--;
    if (lws_write(session->wsi, entry->bytes + LWS_PRE, entry->length, entry->flags) < 0) {
        return -1;
    }
    if (session->count) {
        lws_callback_on_writable(session->wsi);
    }
    return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
        return join(user, wsi);
    case LWS_CALLBACK_RECEIVE:
        return pass(user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return flush(user);
    case LWS_CALLBACK_CLOSED:
        leave(user);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {"callhub.v1", on_event, sizeof(struct session), RECEIVE_BUFFER, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

int main(void)
{
    struct lws_context_creation_info info = {0};
    info.port = 0;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6;
    info.gid = -1;
    info.uid = -1;

    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    if (!context) {
        fputs("bare-relay: libwebsockets could not start; is libwebsockets-evlib-uv installed?\n", stderr);
        return 1;
    }
    printf("127.0.0.1:%d\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
    fflush(stdout);
    while (lws_service(context, 0) >= 0) {
    }
    lws_context_destroy(context);
    return 0;
}
