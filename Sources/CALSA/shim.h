#ifndef HUB_CALSA_SHIM_H
#define HUB_CALSA_SHIM_H

#include <alsa/asoundlib.h>

static inline void hub_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

/* Keeps the library from writing on standard error: its functions return what is wrong. */
static inline void hub_alsa_be_quiet(void)
{
    snd_lib_error_set_handler(hub_alsa_ignore);
}

#endif
