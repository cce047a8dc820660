/*
 * Counts the heap allocations of a program that was not built for it: LD_PRELOAD this library, name a file of at
 * least 24 bytes in CALLHUB_ALLOCATION_COUNTS, and read the counts from that file while the program runs.
 *
 * It stands in front of the C library's allocator and passes on to it by its other names (__libc_malloc and so on),
 * so that Swift objects, libwebsockets and libuv are all seen. glibc only. The counts are atomic, because any thread
 * may allocate; a program that does not allocate per packet pays nothing for them.
 */

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Where the counts are: a page of the file that the environment variable CALLHUB_ALLOCATION_COUNTS names, which the
 * benchmark maps too. Native byte order, three unsigned 64-bit integers in this order.
 */
struct allocation_counts {
    /* Calls of malloc, calloc, memalign, aligned_alloc, posix_memalign, and realloc (which may move to new memory). */
    unsigned long long allocations;
    /* Calls of free with something to free. */
    unsigned long long frees;
    /* Bytes asked for. */
    unsigned long long bytes;
};

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

/* Counts go here until the file is mapped, and for good where none is named. */
static struct allocation_counts unmapped;
static struct allocation_counts *counts = &unmapped;

__attribute__((constructor)) static void map_counts(void)
{
    const char *path = getenv("CALLHUB_ALLOCATION_COUNTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    void *page = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) {
        counts = page;
    }
}

/* For a program that counts its own: it looks this name up and finds nothing where the library is not loaded. */
unsigned long long callhub_allocations(void)
{
    return __atomic_load_n(&counts->allocations, __ATOMIC_RELAXED);
}

static inline void count(size_t bytes)
{
    __atomic_fetch_add(&counts->allocations, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&counts->bytes, bytes, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    count(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    count(size);
    void *block = __libc_memalign(alignment, size);
    if (!block) {
        return ENOMEM;
    }
    *memory = block;
    return 0;
}

void free(void *memory)
{
    if (memory) {
        __atomic_fetch_add(&counts->frees, 1, __ATOMIC_RELAXED);
    }
    __libc_free(memory);
}
