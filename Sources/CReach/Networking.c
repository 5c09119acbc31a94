#if defined(__linux__)

#include "Override.h"

#include <link.h>
#include <string.h>

// FoundationNetworking, whose own blocks are told from those of other code.

typedef struct {
  uintptr_t begin, end;
} addresses;

static int find_code(struct dl_phdr_info *info, size_t size, void *result) {
  if (!strstr(info->dlpi_name, "libFoundationNetworking.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    uintptr_t begin = info->dlpi_addr + part->p_vaddr;
    *(addresses *)result = (addresses){begin, begin + part->p_memsz};
  }
  return 1;
}

bool rch_is_of_networking(const void *block) {
  static _Atomic bool is_known;
  static _Atomic uintptr_t begin, end;
  if (!atomic_load_explicit(&is_known, memory_order_acquire)) {
    addresses code = {0, 0};
    dl_iterate_phdr(find_code, &code);
    atomic_store(&begin, code.begin);
    atomic_store(&end, code.end);
    atomic_store_explicit(&is_known, true, memory_order_release);
  }
  // Behind two words, as the ABI of blocks says.
  uintptr_t function = ((const uintptr_t *)block)[2];
  return function - atomic_load_explicit(&begin, memory_order_relaxed) <
         atomic_load_explicit(&end, memory_order_relaxed) -
             atomic_load_explicit(&begin, memory_order_relaxed);
}

#endif
