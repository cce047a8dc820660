#ifndef HUB_CSQLite_SHIM_H
#define HUB_CSQLite_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import: the library takes a copy.
static inline int hub_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes) {
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int hub_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *blob, sqlite3_uint64 bytes) {
    return sqlite3_bind_blob64(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

#endif
