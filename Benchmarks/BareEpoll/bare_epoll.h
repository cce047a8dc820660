#ifndef BARE_EPOLL_H
#define BARE_EPOLL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    /* The most read at once. Higher: fewer recv after a stall; lower: less memory to walk through. */
    LONGEST_READ = 16384,
    /* The most that is kept of a frame of which only the beginning has come, and so the longest message. */
    LONGEST_FRAME = 2048,
};

/* A client's connection. */
struct connection {
    int descriptor, pair;
    bool is_open;
    struct connection *peer;
    /* What came of a frame that TCP cut in two. */
    size_t kept_length;
    unsigned char kept[LONGEST_FRAME];
    /* What the socket did not take of frames begun. */
    size_t unsent_length;
    unsigned char unsent[LONGEST_READ];
};

/* Sends what is left of frames begun; true when nothing is left. */
bool flush(struct connection *connection);

/* Keeps the beginning of a frame until the rest has come; false where it is too long for that. */
bool keep(struct connection *connection, const unsigned char *bytes, size_t length);

/* A server's frames made of a client's, in the same memory. */
struct reframed {
    unsigned char *bytes;
    size_t length;
    /* How many of the client's bytes were whole frames. */
    size_t taken;
    /* The client has closed, or has sent what no client may. */
    bool is_closing;
};

/* Unmasks all whole data frames at the front of `bytes` and writes servers' heads before them. */
struct reframed reframe(unsigned char *bytes, size_t length);

/* Writes the answer to the opening handshake; returns its length, or -1 where the request opens no WebSocket. */
int answer_handshake(const char *head, char *answer, size_t size);

#endif
