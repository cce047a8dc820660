#ifndef HUB_COgg_SHIM_H
#define HUB_COgg_SHIM_H

#include <ogg/ogg.h>

// Nothing of libogg is variadic or a macro that we need: the header is used as it is.

#endif
