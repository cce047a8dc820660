#ifndef HUB_COpus_SHIM_H
#define HUB_COpus_SHIM_H

#include <opus.h>

#endif
