#ifndef HUB_CUV_SHIM_H
#define HUB_CUV_SHIM_H

#include <sys/socket.h>
#include <uv.h>

/* Declared by glibc for _GNU_SOURCE only, which a module cannot ask for. */
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

/* Takes a connection as a socket that neither blocks nor survives exec, in one system call; -1 and errno if none. */
static inline int hub_uv_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

#endif
