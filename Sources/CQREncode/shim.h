#ifndef HUB_CQRENCODE_SHIM_H
#define HUB_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
