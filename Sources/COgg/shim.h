#ifndef HUB_COgg_SHIM_H
#define HUB_COgg_SHIM_H

#include <ogg/ogg.h>

#endif
