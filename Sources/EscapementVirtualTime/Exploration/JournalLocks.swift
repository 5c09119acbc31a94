import _EscapementCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which journals of a folder this process uses.
///
/// Each is a byte of one file that the process has locked. So a process needs one open file for all
/// of its journals, and the kernel removes the locks when the process ends, however it ends.
enum JournalLocks {
  private struct Folder {
    let file: Int32
    /// The kernel lets a process lock a byte again.
    var held: Set<Int64> = []
  }

  private static let folders = Lock<[String: Folder]>([:])

  /// Locks a journal, or returns `false` if another search uses it or the file system has no locks.
  static func acquire(_ journal: String, in directory: String) -> Bool {
    folders.withLock { folders in
      if folders[directory] == nil {
        let file = open("\(directory)/locks", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        folders[directory] = Folder(file: file)
      }
      let byte = byte(of: journal)
      guard !folders[directory]!.held.contains(byte),
        change(byte, of: folders[directory]!.file, to: F_WRLCK)
      else { return false }
      folders[directory]!.held.insert(byte)
      return true
    }
  }

  static func release(_ journal: String, in directory: String) {
    folders.withLock { folders in
      let byte = byte(of: journal)
      guard folders[directory]?.held.remove(byte) != nil else { return }
      _ = change(byte, of: folders[directory]!.file, to: F_UNLCK)
    }
  }

  private static func byte(of journal: String) -> Int64 {
    var fingerprint = Fingerprint()
    for byte in journal.utf8 { fingerprint.mix(UInt64(byte)) }
    return Int64(fingerprint.value >> 2)
  }

  private static func change(_ byte: Int64, of file: Int32, to kind: Int32) -> Bool {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(byte)
    lock.l_len = 1
    return fcntl(file, F_SETLK, &lock) == 0
  }
}
