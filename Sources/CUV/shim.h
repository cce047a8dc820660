#ifndef HUB_CUV_SHIM_H
#define HUB_CUV_SHIM_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <uv.h>

/* Enumerators without a name of their own: which module they belong to, and so whether a file sees them, depends on
   what the compiler has loaded before. */
static const int hub_uv_level_tcp = IPPROTO_TCP;
static const int hub_uv_level_ipv6 = IPPROTO_IPV6;

/* Declared by glibc for _GNU_SOURCE only, which a module cannot ask for. */
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

/* Takes a connection as a socket that neither blocks nor survives exec, with its peer's address, in one system call; -1 and
   errno if none. */
static inline int hub_uv_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t length = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Looks at what a socket has received and leaves it there; bytes seen, 0 at the stream's end, -1 and errno if nothing can
   be seen. */
static inline ssize_t hub_uv_peek(int socket, void *memory, size_t count) {
    return recv(socket, memory, count, MSG_PEEK | MSG_DONTWAIT);
}

/* Removes bytes that hub_uv_peek has seen from a socket; false if they are gone. MSG_TRUNC: nothing is copied. */
static inline bool hub_uv_discard(int socket, size_t count) {
    return recv(socket, NULL, count, MSG_TRUNC | MSG_DONTWAIT) == (ssize_t)count;
}

/* Has this thread's sleeps end within a microsecond of their time; the kernel's own is fifty. prctl is variadic. */
static inline void hub_uv_sleep_exactly(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); }

#endif
