#if defined(__linux__)

#include "Core/Override.h"

#include <link.h>
#include <string.h>

// The library that an address belongs to. Some functions ask at each call, so the ranges of code
// are found once.

typedef struct {
  const char *name;
  _Atomic uintptr_t begin, size;
} library;

static library libraries[] = {
    {"libdispatch.so"}, {"libFoundation.so"}, {"libFoundationNetworking.so"},
    {"libFoundationEssentials.so"}, {"lib_FoundationICU.so"},
    {"libFoundationInternationalization.so"}, {"libFoundationXML.so"},
};
enum { dispatch, foundation, networking, count = sizeof libraries / sizeof *libraries };

static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  for (int i = 0; i < count; i++) {
    if (strcmp(name, libraries[i].name) != 0) continue;
    for (int j = 0; j < info->dlpi_phnum; j++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[j];
      if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
      atomic_store(&libraries[i].begin, info->dlpi_addr + part->p_vaddr);
      atomic_store(&libraries[i].size, part->p_memsz);
    }
  }
  return 0;
}

static bool is_in(int i, const void *address) {
  static _Atomic bool is_known;
  if (!atomic_load_explicit(&is_known, memory_order_acquire)) {
    dl_iterate_phdr(find_code, 0);
    atomic_store_explicit(&is_known, true, memory_order_release);
  }
  return (uintptr_t)address - atomic_load_explicit(&libraries[i].begin, memory_order_relaxed) <
         atomic_load_explicit(&libraries[i].size, memory_order_relaxed);
}

bool rch_is_of_libdispatch(const void *address) { return is_in(dispatch, address); }

bool rch_is_of_foundation(const void *address) { return is_in(foundation, address); }

bool rch_is_of_system(const void *address) {
  for (int i = 0; i < count; i++)
    if (is_in(i, address)) return true;
  return false;
}

bool rch_is_of_networking(const void *block) {
  // Behind two words, as the ABI of blocks says.
  return is_in(networking, ((const void *const *)block)[2]);
}

#endif
