#ifndef HUB_CLibWebSockets_CLIENT_H
#define HUB_CLibWebSockets_CLIENT_H

/* What the client side needs; apart from the server's, so that neither target drags the other's changes along. */

#include <libwebsockets.h>

/* What lws_write may write in front of a payload; a function-like macro, which Swift does not import. */
static const size_t hub_lws_client_head_room = LWS_PRE;

/* The options are enumerators wider than int, which Swift imports with a type of their own. */
static const uint64_t hub_lws_client_options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                                               LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT |
                                               LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME;

/* How TLS is asked for, as the plain integers that lws_client_connect_info holds. */
static const int hub_lws_client_tls = LCCSCF_USE_SSL;
static const int hub_lws_client_tls_unverified = LCCSCF_USE_SSL | LCCSCF_ALLOW_SELFSIGNED |
                                                 LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED |
                                                 LCCSCF_ALLOW_INSECURE;

/* "Now", as the time-out that ends a connection from outside its own callbacks. */
static inline void hub_lws_client_kill(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

#endif
