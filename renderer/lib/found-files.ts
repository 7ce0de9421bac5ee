/** A file with the names of the folders it was found in, the outermost first. */
export interface FoundFile {
  readonly file: File
  readonly folders: readonly string[]
}

/** What systems put beside the files people keep. */
const LEFT_OVER = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|~\$.*)$/i

/** Whether a person put it there; whatever begins with a dot is a program's own. */
const isKept = ({ file, folders }: FoundFile): boolean =>
  !LEFT_OVER.test(file.name) && !folders.some((name) => name.startsWith('.'))

/** The slashed path below where the search began. */
export const pathOf = ({ file, folders }: FoundFile): string => [...folders, file.name].join('/')

/** What a file dialog handed over; of a chosen folder with the folders in it. */
export const fromInput = (files: Iterable<File>): readonly FoundFile[] =>
  [...files]
    .map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }))
    .filter(isKept)

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A reader hands out a hundred at a time, and nothing when it is done. */
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
 * Everything that was dropped, folders opened. Has to be called while the drop is handled:
 * afterwards the browser forgets.
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
