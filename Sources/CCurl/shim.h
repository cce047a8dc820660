#ifndef HUB_CCurl_SHIM_H
#define HUB_CCurl_SHIM_H

#include <curl/curl.h>
#include <stddef.h>

/* libcurl's setters and getters are variadic, and its options macros that Swift does not import. */

/* What a server sends behind its headers: read to its end and discarded, so that the connection can be used again. */
static size_t hub_curl_discard(char *bytes, size_t size, size_t count, void *owner) {
    (void)bytes;
    (void)owner;
    return size * count;
}

/* The methods of requests. */
enum hub_curl_method { HUB_CURL_GET, HUB_CURL_HEAD, HUB_CURL_POST };

#define HUB_CURL_SET(option, value) \
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, option, value)

/* Prepares a request by one of the protocols, but where its answer goes; the body must live as long as the transfer.
   Redirects are not followed. A transfer of which one option is refused is not to be used: CURLE_OK or the refusal. */
static inline CURLcode hub_curl_prepare_sending(
    CURL *transfer, const char *protocols, const char *url, enum hub_curl_method method, struct curl_slist *headers, const void *body,
    size_t count, long milliseconds, const char *authority_file) {
    CURLcode result = CURLE_OK;
    HUB_CURL_SET(CURLOPT_PROTOCOLS_STR, protocols);
    HUB_CURL_SET(CURLOPT_URL, url);
    if (method == HUB_CURL_HEAD) HUB_CURL_SET(CURLOPT_NOBODY, 1L);
    if (method == HUB_CURL_POST) {
        HUB_CURL_SET(CURLOPT_POST, 1L);
        HUB_CURL_SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
        HUB_CURL_SET(CURLOPT_POSTFIELDS, body);
    }
    HUB_CURL_SET(CURLOPT_HTTPHEADER, headers);
    HUB_CURL_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    HUB_CURL_SET(CURLOPT_FOLLOWLOCATION, 0L);
    /* Else a proxy of the environment would be asked. */
    HUB_CURL_SET(CURLOPT_PROXY, "");
    HUB_CURL_SET(CURLOPT_TIMEOUT_MS, milliseconds);
    /* Signals are the program's. */
    HUB_CURL_SET(CURLOPT_NOSIGNAL, 1L);
    /* Beside the system's, which are in CURLOPT_CAPATH. */
    if (authority_file) HUB_CURL_SET(CURLOPT_CAINFO, authority_file);
    return result;
}

/* Prepares a POST over HTTPS of whose answer the status alone counts; the body must live as long as the transfer. CURLE_OK or
   the refusal of an option. */
static inline CURLcode hub_curl_prepare_post(CURL *transfer, const char *url, struct curl_slist *headers, const void *body,
                                             size_t count, long milliseconds, const char *authority_file) {
    CURLcode result = hub_curl_prepare_sending(transfer, "https", url, HUB_CURL_POST, headers, body, count, milliseconds,
                                               authority_file);
    HUB_CURL_SET(CURLOPT_WRITEFUNCTION, hub_curl_discard);
    return result;
}

/* Prepares a GET whose answer's status alone counts, from a server that needs no trusted certificate: nothing of the answer
   is used. CURLE_OK or the refusal of an option. */
static inline CURLcode hub_curl_prepare_local_get(CURL *transfer, const char *url, long milliseconds) {
    CURLcode result = CURLE_OK;
    HUB_CURL_SET(CURLOPT_PROTOCOLS_STR, "http,https");
    HUB_CURL_SET(CURLOPT_URL, url);
    HUB_CURL_SET(CURLOPT_FOLLOWLOCATION, 0L);
    HUB_CURL_SET(CURLOPT_PROXY, "");
    HUB_CURL_SET(CURLOPT_SSL_VERIFYPEER, 0L);
    HUB_CURL_SET(CURLOPT_SSL_VERIFYHOST, 0L);
    HUB_CURL_SET(CURLOPT_TIMEOUT_MS, milliseconds);
    HUB_CURL_SET(CURLOPT_NOSIGNAL, 1L);
    HUB_CURL_SET(CURLOPT_WRITEFUNCTION, hub_curl_discard);
    return result;
}

/* The HTTP status of a transfer; 0 where none has come. */
static inline long hub_curl_status(CURL *transfer) {
    long status = 0;
    return curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/* The seconds of Retry-After (RFC 9110 section 10.2.3), given as such or as a date; 0 where there is none. */
static inline curl_off_t hub_curl_retry_after(CURL *transfer) {
    curl_off_t seconds = 0;
    return curl_easy_getinfo(transfer, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? seconds : 0;
}

/* Takes the next transfer that has ended from a multi handle; NULL for none. */
static inline CURL *hub_curl_next_ended(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

/* Prepares the library for the process; not safe beside other threads that do the same. */
static inline CURLcode hub_curl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
