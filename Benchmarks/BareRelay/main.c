/*
 * bare-relay: the yardstick of the benchmark.
 *
 * Passes binary WebSocket messages between two connections and knows nothing else: no calls, no accounts, no
 * checks of what a message holds. It is meant to be as cheap as one thread of libwebsockets honestly gets:
 *
 * - libwebsockets on its libuv loop (epoll), which costs half or a quarter of its default poll loop;
 * - one lws_write per message, made directly in the receive callback, so one recv and one send a message;
 * - one copy of a message's bytes, some nanoseconds, and no allocation. Without the copy it would not be safe: of a
 *   binary message libwebsockets 4.1.6 hands over the bytes where recv put them (server-ws.c,
 *   lws_ws_frame_rest_is_payload), and where a frame's head ended the recv before, they begin at the very start of the
 *   buffer, so that lws_write would put the new head in front of it, into other memory;
 * - no extensions, so no permessage-deflate.
 *
 * With `--tls CERTIFICATE KEY` it speaks TLS, as libwebsockets does by itself.
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
    /* The longest message passed on, and the most read at once. Lower: less memory a connection. */
    LONGEST_MESSAGE = 2048,
    /* Messages kept for a peer whose socket is full. Higher: fewer lost in a stall; lower: fresher after it. */
    PENDING_MESSAGES = 8,
};

/* A message with the room in front that lws_write needs for the frame's head. */
struct message {
    size_t length;
    unsigned char bytes[LWS_PRE + LONGEST_MESSAGE];
};

/* What is kept for a connection, in the memory libwebsockets gives each. */
struct session {
    struct lws *wsi;
    struct session *peer;
    int pair;
    /* What came of a message that TCP cut in two; allocated at the first one and kept. */
    struct message *begun;
    /* What waits for the socket to take more; allocated at the first stall and kept. */
    struct message *queue;
    unsigned int head, count;
};

/* The connection that waits for its peer, by pair number. */
static struct session *waiting[MAXIMUM_PAIRS];

/* Pairs the new connection by the number at the end of its URL; nonzero closes it. */
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
    free(session->begun);
    free(session->queue);
}

/* Keeps a copy for a receiver whose socket is full; the oldest makes room. */
static void keep(struct session *receiver, const struct message *message)
{
    if (!receiver->queue && !(receiver->queue = calloc(PENDING_MESSAGES, sizeof *receiver->queue))) {
        return;
    }
    if (receiver->count == PENDING_MESSAGES) {
        receiver->head = (receiver->head + 1) % PENDING_MESSAGES;
        receiver->count--;
    }
    receiver->queue[(receiver->head + receiver->count++) % PENDING_MESSAGES] = *message;
    lws_callback_on_writable(receiver->wsi);
}

/* Passes a whole message on to the peer at once, if its socket is free. */
static void pass(struct session *receiver, struct message *message)
{
    if (!receiver) {
        return;
    }
    if (receiver->count || lws_partial_buffered(receiver->wsi)) {
        keep(receiver, message);
    } else if (lws_write(receiver->wsi, message->bytes + LWS_PRE, message->length, LWS_WRITE_BINARY) < 0) {
        /* The sender is not to be closed for it, so it is not said by this callback's result. */
        lws_set_timeout(receiver->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
}

/* Adds to a message; one that is too long keeps a length that says so. */
static void append(struct message *message, const unsigned char *bytes, size_t length)
{
    if (message->length > LONGEST_MESSAGE || length > LONGEST_MESSAGE - message->length) {
        message->length = LONGEST_MESSAGE + 1;
        return;
    }
    memcpy(message->bytes + LWS_PRE + message->length, bytes, length);
    message->length += length;
}

/* Takes what came of a message and passes the message on when it is whole. */
static int receive(struct session *session, const unsigned char *bytes, size_t length)
{
    /* One loop, one thread: all messages that come in one piece can use the same memory. */
    static struct message whole;
    int first = lws_is_first_fragment(session->wsi), final = lws_is_final_fragment(session->wsi);
    struct message *message = &whole;
    if (!lws_frame_is_binary(session->wsi)) {
        return 0;
    }
    if (!first || !final) {
        if (!session->begun && !(session->begun = calloc(1, sizeof *session->begun))) {
            return -1;
        }
        message = session->begun;
    }
    if (first) {
        message->length = 0;
    }
    append(message, bytes, length);
    if (final && message->length <= LONGEST_MESSAGE) {
        pass(session->peer, message);
    }
    return 0;
}

/* Sends one message that waited: libwebsockets wants one write per writeable callback. */
static int flush(struct session *session)
{
    if (!session->count) {
        return 0;
    }
    struct message *message = &session->queue[session->head];
    session->head = (session->head + 1) % PENDING_MESSAGES;
    session->count--;
    if (lws_write(session->wsi, message->bytes + LWS_PRE, message->length, LWS_WRITE_BINARY) < 0) {
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
        return receive(user, in, length);
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
    {"callhub.v1", on_event, sizeof(struct session), LONGEST_MESSAGE, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    struct lws_context_creation_info info = {0};
    if (argc != 1 && (argc != 4 || strcmp(argv[1], "--tls"))) {
        fputs("usage: bare-relay [--tls CERTIFICATE KEY]\n", stderr);
        return 64;
    }
    if (argc == 4) {
        info.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.ssl_cert_filepath = argv[2];
        info.ssl_private_key_filepath = argv[3];
    }
    info.port = 0;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.options |= LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_DISABLE_IPV6;
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
