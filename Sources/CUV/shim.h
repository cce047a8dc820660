#ifndef HUB_CUV_SHIM_H
#define HUB_CUV_SHIM_H

#include <uv.h>

#endif
