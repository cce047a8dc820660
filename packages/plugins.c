/* Has libwebsockets look for its event library plugin beside this library, in place of the folder that it was built for.
 *
 * Loaded before libwebsockets, this function is the one that it calls; the folder can then be anywhere. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libgen.h>
#include <libwebsockets.h>
#include <limits.h>
#include <string.h>

typedef int plugins_init(struct lws_plugin **, const char *const *, const char *, const char *, each_plugin_cb_t, void *);

int lws_plugins_init(struct lws_plugin **list, const char *const *folders, const char *kind, const char *filter,
                     each_plugin_cb_t each, void *user) {
    plugins_init *library = (plugins_init *)dlsym(RTLD_NEXT, "lws_plugins_init");
    if (!library) return 1;
    char path[PATH_MAX];
    Dl_info self;
    if (!dladdr((void *)lws_plugins_init, &self) || strlen(self.dli_fname) >= sizeof path)
        return library(list, folders, kind, filter, each, user);
    strcpy(path, self.dli_fname);
    const char *const own[] = {dirname(path), NULL};
    return library(list, own, kind, filter, each, user);
}
