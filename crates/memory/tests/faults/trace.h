/*
 * The trace of the fault layer: every operation as a struct event, in a file that tests/faults/trace.rs reads.
 * Files have numbers, since their names change.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWN_FILE "journal-of-the-test"
#define MAX_FILES 4096

/* Kinds of event. */
enum { OPEN = 'O', READ = 'R', WRITE = 'W', SYNC = 'S', TRUNCATE = 'T', LOCK = 'L', UNLINK = 'U', NAMES = 'D', SAID = 'A' };

struct event {
    uint8_t kind;
    uint8_t failed;
    uint16_t unused;
    uint32_t file;
    uint64_t offset; /* of a write; the length of a truncation */
    uint64_t length; /* of the bytes that follow: data, a name, or lines "file name" */
};

static struct { dev_t device; ino_t inode; int is_linked; } files[MAX_FILES];
static int file_count;
static char directory[4096];
static int trace = -1;
static ssize_t (*real_write)(int, const void *, size_t);

static void give_up(const char *why) {
    fprintf(stderr, "fault layer: %s\n", why);
    abort();
}

/* The number of the file with this inode. An inode that was unlinked may be another file's later. */
static int file_number(const struct stat64 *status) {
    for (int i = 0; i < file_count; i++)
        if (files[i].is_linked && files[i].inode == status->st_ino && files[i].device == status->st_dev) return i + 1;
    if (file_count == MAX_FILES) give_up("too many files");
    files[file_count].device = status->st_dev;
    files[file_count].inode = status->st_ino;
    files[file_count].is_linked = 1;
    return ++file_count;
}

static void append(int kind, int failed, int file, uint64_t offset, const void *bytes, uint64_t length) {
    if (trace < 0) return;
    struct event event = {.kind = kind, .failed = failed, .file = file, .offset = offset, .length = length};
    if (real_write(trace, &event, sizeof event) != sizeof event) give_up("the trace cannot be written");
    if (length && real_write(trace, bytes, length) != (ssize_t)length) give_up("the trace cannot be written");
}

/* Every name in the directory with its file's number, a line each. */
static void append_names(int failed) {
    static char lines[1 << 16];
    size_t length = 0;
    DIR *listing = trace < 0 ? NULL : opendir(directory);
    if (!listing) return;
    for (struct dirent *entry; (entry = readdir(listing));) {
        struct stat64 status;
        if (fstatat64(dirfd(listing), entry->d_name, &status, 0) != 0 || !S_ISREG(status.st_mode)) continue;
        if (strcmp(entry->d_name, OWN_FILE) == 0) continue;
        length += snprintf(lines + length, sizeof lines - length, "%d %s\n", file_number(&status), entry->d_name);
        if (length >= sizeof lines) give_up("too many names");
    }
    closedir(listing);
    append(NAMES, failed, 0, 0, lines, length);
}
