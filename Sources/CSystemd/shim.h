#ifndef HUB_CSYSTEMD_SHIM_H
#define HUB_CSYSTEMD_SHIM_H

#include <systemd/sd-daemon.h>

#endif
