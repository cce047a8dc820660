#ifndef HUB_CLinux_SHIM_H
#define HUB_CLinux_SHIM_H

/* What Linux has and Swift's Glibc module leaves out. */

#include <stdint.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* memfd_create is declared for _GNU_SOURCE only, which a module does not choose for those who import it. */
static inline int hub_linux_anonymous_file(const char *name) {
    /* MFD_CLOEXEC is 1: a child gets the file by dup2 or by its path in /proc, or not at all. */
    return (int)syscall(SYS_memfd_create, name, 1u);
}

/* memmem too: where `word` begins in `bytes`; -1 where it does not. */
void *memmem(const void *, size_t, const void *, size_t);
static inline long hub_linux_find(const void *bytes, size_t count, const void *word, size_t length) {
    const char *place = (const char *)memmem(bytes, count, word, length);
    return place ? (long)(place - (const char *)bytes) : -1;
}

/* Swift imports the system's constant as an enum's case and the field it goes into as an integer. */
static const uint32_t hub_linux_epollin = EPOLLIN;

#endif
