// What a store in files needs of the machine that it is on.

/** A file system: `node:fs/promises` is one. What fails says so with the system's code, such as `ENOSPC`. */
export interface Disk {
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>
  /** `flags` as of open(2), in words or in bits. A directory can be opened to read, to `sync` the names in it. */
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>
  readFile(path: string): Promise<Buffer>
  readdir(path: string): Promise<readonly string[]>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
}

/** An open file. */
export interface DiskFile {
  /** May write less than it was given, and says how much. */
  write(
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>
  appendFile(bytes: Buffer): Promise<void>
  truncate(length: number): Promise<void>
  /** Resolves when all that was written, or renamed in a directory, outlasts the end of the power. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Held by one process at a time per directory. */
export interface DirectoryLock {
  release(): Promise<void>
}
