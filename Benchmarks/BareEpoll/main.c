/*
 * bare-epoll: the limit of the benchmark.
 *
 * Passes WebSocket messages between two connections with nothing but epoll, recv and send: what a relay on one thread
 * costs whose every line is for passing on. No library, no timers, no accounts, no checks of what a message holds.
 *
 * - Edge-triggered: the kernel need not look at a socket again that was read to its end, and a recv that fills less
 *   than the buffer is such an end;
 * - the message is unmasked where recv put it, and its new head is written in front: a server's head is four bytes
 *   shorter than a client's;
 * - all messages of one recv go out by one send.
 *
 * With `--batch MICROSECONDS` it sleeps so long before each look at the sockets, so that more of them are ready at
 * once: what batching gains, and what delay it costs.
 *
 * The two connections that open ws://host/pair/N with the same N are each other's peers. The listening address is
 * printed on standard output as `127.0.0.1:PORT`.
 */

/* accept4. */
#define _GNU_SOURCE

#include "bare_epoll.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    /* Higher: more pairs may be open at once; lower: a smaller table. */
    MAXIMUM_PAIRS = 8192,
    /* Sockets taken from one epoll_wait. Higher: fewer of those calls under load; lower: a smaller array. */
    EVENTS = 1024,
};

/* The connection that waits for its peer, by pair number. */
static struct connection *waiting[MAXIMUM_PAIRS];
static int poller;

static void leave(struct connection *connection)
{
    if (connection->peer) {
        connection->peer->peer = NULL;
    } else if (connection->is_open && waiting[connection->pair] == connection) {
        waiting[connection->pair] = NULL;
    }
    close(connection->descriptor);
    free(connection);
}

/* Pairs the connection by the number in its URL; false where there is none. */
static bool join(struct connection *connection, const char *head)
{
    int number = 0;
    if (sscanf(head, "GET /pair/%d ", &number) != 1 || number < 0 || number >= MAXIMUM_PAIRS) {
        return false;
    }
    connection->pair = number;
    connection->peer = waiting[number];
    if (connection->peer) {
        connection->peer->peer = connection;
        waiting[number] = NULL;
    } else {
        waiting[number] = connection;
    }
    connection->is_open = true;
    return true;
}

/* Sends frames to a connection whose socket may be full. What it takes no byte of is lost: fresh audio is worth more than
 * old; the rest of a frame begun is kept, or the stream would break. */
static void pass(struct connection *receiver, const unsigned char *bytes, size_t length)
{
    if (!flush(receiver)) {
        return;
    }
    ssize_t sent = send(receiver->descriptor, bytes, length, MSG_NOSIGNAL);
    if (sent > 0 && (size_t)sent < length) {
        receiver->unsent_length = length - (size_t)sent;
        memcpy(receiver->unsent, bytes + sent, receiver->unsent_length);
    }
}

bool flush(struct connection *connection)
{
    if (!connection->unsent_length) {
        return true;
    }
    ssize_t sent = send(connection->descriptor, connection->unsent, connection->unsent_length, MSG_NOSIGNAL);
    if (sent > 0) {
        connection->unsent_length -= (size_t)sent;
        memmove(connection->unsent, connection->unsent + sent, connection->unsent_length);
    }
    return !connection->unsent_length;
}

/* Answers the opening handshake once its head is whole; false where the connection is to be closed. */
static bool open_websocket(struct connection *connection, unsigned char *bytes, size_t length)
{
    char answer[256];
    bytes[length] = 0;
    const char *end = strstr((const char *)bytes, "\r\n\r\n");
    if (!end) {
        return keep(connection, bytes, length);
    }
    int answered = answer_handshake((const char *)bytes, answer, sizeof answer);
    return answered > 0 && join(connection, (const char *)bytes)
        && send(connection->descriptor, answer, (size_t)answered, MSG_NOSIGNAL) == answered;
}

/* Passes on all whole frames of `bytes`; false where the connection is to be closed. */
static bool relay(struct connection *connection, unsigned char *bytes, size_t length)
{
    struct reframed reframed = reframe(bytes, length);
    if (reframed.is_closing) {
        return false;
    }
    if (reframed.length && connection->peer) {
        pass(connection->peer, reframed.bytes, reframed.length);
    }
    return reframed.taken == length || keep(connection, bytes + reframed.taken, length - reframed.taken);
}

/* Reads a socket to its end; false where the connection is to be closed. */
static bool receive(struct connection *connection)
{
    /* One thread: all connections use the same memory, and keep only what came of a frame that TCP cut in two. */
    static unsigned char buffer[LONGEST_READ + 1];
    for (;;) {
        size_t kept = connection->kept_length;
        memcpy(buffer, connection->kept, kept);
        size_t room = LONGEST_READ - kept;
        ssize_t read = recv(connection->descriptor, buffer + kept, room, 0);
        if (read <= 0) {
            return read < 0 && (errno == EAGAIN || errno == EINTR);
        }
        connection->kept_length = 0;
        size_t length = kept + (size_t)read;
        if (!(connection->is_open ? relay : open_websocket)(connection, buffer, length)) {
            return false;
        }
        if ((size_t)read < room) {
            return true;
        }
    }
}

/* Takes in everybody who is at the door. */
static void welcome(int listener)
{
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) {
            return;
        }
        int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *connection = calloc(1, sizeof *connection);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = connection};
        if (!connection || epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)) {
            free(connection);
            close(descriptor);
            continue;
        }
        connection->descriptor = descriptor;
    }
}

static void serve(int listener, long batch_microseconds)
{
    static struct epoll_event events[EVENTS];
    struct timespec pause = {batch_microseconds / 1000000, batch_microseconds % 1000000 * 1000};
    for (;;) {
        if (batch_microseconds) {
            nanosleep(&pause, NULL);
        }
        int count = epoll_wait(poller, events, EVENTS, -1);
        for (int index = 0; index < count; index++) {
            struct connection *connection = events[index].data.ptr;
            if (!connection) {
                welcome(listener);
                continue;
            }
            if (events[index].events & EPOLLOUT) {
                flush(connection);
            }
            bool stays = !(events[index].events & EPOLLIN) || receive(connection);
            if (!stays || events[index].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
                leave(connection);
            }
        }
    }
}

static int listen_on_loopback(void)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof name;
    if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) || listen(listener, 1024)
        || getsockname(listener, (struct sockaddr *)&name, &length)) {
        return -1;
    }
    printf("127.0.0.1:%d\n", ntohs(name.sin_port));
    fflush(stdout);
    return listener;
}

int main(int argc, char **argv)
{
    long batch = 0;
    char *end = NULL;
    if (argc == 3 && !strcmp(argv[1], "--batch")) {
        batch = strtol(argv[2], &end, 10);
    }
    if ((argc != 1 && !end) || (end && (*end || batch < 0 || batch > 1000000))) {
        fputs("usage: bare-epoll [--batch MICROSECONDS], at most 1000000\n", stderr);
        return 64;
    }
    int listener = listen_on_loopback();
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (listener < 0 || poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event)) {
        perror("bare-epoll");
        return 1;
    }
    /* A sleep of 200 us is to take 200 us, not 50 more. */
    prctl(PR_SET_TIMERSLACK, 1000ul, 0, 0, 0);
    serve(listener, batch);
}
