/** A file with the names of its parent folders, the outermost first. */
export interface FoundFile {
  readonly file: File
  readonly folders: readonly string[]
}

/** Matches files that operating systems and programs create beside the user's files. */
const LEFT_OVER = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*)$/i

/** True if the file belongs to the user; folders that start with a dot belong to programs. */
const isKept = ({ file, folders }: FoundFile): boolean =>
  !LEFT_OVER.test(file.name) && !folders.some((name) => name.startsWith('.'))

/** Returns the slash-separated path relative to the root of the search. */
export const pathOf = ({ file, folders }: FoundFile): string => [...folders, file.name].join('/')

/** Returns the files of a file dialog; for a chosen folder, with its subfolders. */
export const fromInput = (files: Iterable<File>): readonly FoundFile[] =>
  [...files]
    .map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }))
    .filter(isKept)

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function readEntries(entry: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

async function walk(
  entry: FileSystemEntry,
  folders: readonly string[],
  found: FoundFile[],
): Promise<void> {
  if (entry.isFile) {
    found.push({ file: await readFile(entry as FileSystemFileEntry), folders })
    return
  }
  for (const child of await readEntries(entry as FileSystemDirectoryEntry))
    await walk(child, [...folders, entry.name], found)
}

/**
 * Resolves with all dropped files, including those in folders. Must be called while the drop event
 * is handled: the browser discards the data afterwards.
 */
export async function fromDrop(data: DataTransfer): Promise<readonly FoundFile[]> {
  const entries = [...data.items].map((item) =>
    item.kind === 'file' ? item.webkitGetAsEntry() : null,
  )
  const plain = [...data.files].map((file) => ({ file, folders: [] }))
  if (entries.every((entry) => entry === null)) return plain.filter(isKept)
  const found: FoundFile[] = []
  for (const entry of entries) if (entry) await walk(entry, [], found)
  return found.filter(isKept)
}
