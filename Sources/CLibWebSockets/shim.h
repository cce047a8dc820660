#ifndef HUB_CLibWebSockets_SHIM_H
#define HUB_CLibWebSockets_SHIM_H

#include <libwebsockets.h>

/* What lws_write may write in front of a payload; a function-like macro, which Swift does not import. */
static const size_t hub_lws_pre = LWS_PRE;

/* The options are enumerators wider than int, which Swift imports with a type of their own. */
static const uint64_t hub_lws_server_options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                                               LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                                               LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME;

/* What those that speak TLS need besides; the certificate is set by us, not by the library. */
static const uint64_t hub_lws_server_tls_options =
    LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX |
    LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;

/* Where this build of the library looks for its event library plugins. */
static inline const char *hub_lws_plugin_directory(void) { return LWS_INSTALL_LIBDIR; }

/* "Serve, but do not listen": our own listener hands connections over. */
static const int hub_lws_port_no_listen_server = CONTEXT_PORT_NO_LISTEN_SERVER;

static inline struct lws *hub_lws_adopt_as(struct lws_vhost *host, int descriptor, uintptr_t number, int type) {
    lws_adopt_desc_t socket = {0};
    socket.vh = host;
    socket.type = (lws_adoption_type)type;
    socket.fd.sockfd = descriptor;
    socket.opaque = (void *)number;
    return lws_adopt_descriptor_vhost_via_info(&socket);
}

/* Gives a socket to the library, which keeps our number of it from the beginning; NULL: it has closed the socket. */
static inline struct lws *hub_lws_adopt(struct lws_vhost *host, int descriptor, uintptr_t number, int encrypted) {
    int type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | (encrypted ? LWS_ADOPT_ALLOW_SSL : 0);
    return hub_lws_adopt_as(host, descriptor, number, type);
}

/* The same for a socket whose request is not to be read: bytes go out as they are. */
static inline struct lws *hub_lws_adopt_unread(struct lws_vhost *host, int descriptor, uintptr_t number) {
    return hub_lws_adopt_as(host, descriptor, number, LWS_ADOPT_SOCKET);
}
/* A reason of our own for a time-out, so that lws takes the end for a violent one (no flush, no close frame). */
static const enum pending_timeout hub_lws_kill_reason = PENDING_TIMEOUT_USER_REASON_BASE;

/* Bytes that are sent as they are; a macro for an enumerator, which Swift does not import. */
static const enum lws_write_protocol hub_lws_write_raw = LWS_WRITE_RAW;

#endif
