#ifndef HUB_CLinux_SHIM_H
#define HUB_CLinux_SHIM_H

/* What Linux has and Swift's Glibc module leaves out. */

#include <stdint.h>
#include <stddef.h>
#include <linux/perf_event.h>
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

/* A counter of how often a thread comes by a tracepoint of the kernel; -1 where that is not allowed. */
static inline int hub_linux_count_tracepoint(uint64_t tracepoint, int thread) {
    struct perf_event_attr wanted = {
        .type = PERF_TYPE_TRACEPOINT, .size = sizeof wanted, .config = tracepoint, .sample_period = 0};
    return (int)syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Swift imports the system's constant as an enum's case and the field it goes into as an integer. */
static const uint32_t hub_linux_epollin = EPOLLIN;

#endif
