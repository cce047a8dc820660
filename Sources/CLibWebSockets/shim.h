#ifndef HUB_CLibWebSockets_SHIM_H
#define HUB_CLibWebSockets_SHIM_H

#include <libwebsockets.h>

#endif
