import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { toDisposition } from '../lib/serving/to-disposition.ts'
import type { KnowledgeContext } from './knowledge-context.ts'
import type { LinkRow } from './link-store.ts'
import { directoryPaths } from './sync.ts'

// oxlint-disable-next-line no-control-regex -- file systems refuse these characters
const UNSAFE = /[\u0000-\u001f<>:"/\\|?*]/g

/** Returns a name that cannot escape the target folder, whatever program unpacks the archive. */
const toSafePart = (name: string): string =>
  name.replace(UNSAFE, '_').replace(/^\.+$/, '_').slice(0, 200) || '_'

/** Numbers files of the same name, as in a local folder. */
function createNames(): (path: string) => string {
  const taken = new Set<string>()
  return (path) => {
    const [, stem = path, extension = ''] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? []
    let name = path
    for (let count = 2; taken.has(name.toLowerCase()); count += 1)
      name = `${stem} (${count})${extension}`
    taken.add(name.toLowerCase())
    return name
  }
}

/** Sends the files of a collection as a zip, read from the disk as the client consumes them. */
export async function sendZip(
  { linkStore, directoryStore, files }: KnowledgeContext,
  knowledge: { id: string; name: string },
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { Zip, ZipPassThrough } = await import('fflate')
  const directories = directoryPaths(await directoryStore.directories(knowledge.id))
  const toName = createNames()
  const links = await linkStore.links(knowledge.id)
  const [first] = links
  // Checks that the bytes are available while an error message can still be sent.
  if (first && (await files.find(first.file_id)))
    (await files.open(first.file_id, { signal })).destroy()
  response.writeHead(200, {
    'Content-Type': 'application/zip',
    'Content-Disposition': toDisposition(`${toSafePart(knowledge.name)}.zip`),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  const zip = new Zip((error, chunk, isLast) => {
    if (error) response.destroy(error)
    else if (isLast) response.end(chunk)
    else response.write(chunk)
  })
  const addFile = async ({ file_id, directory_id }: LinkRow): Promise<void> => {
    const file = await files.find(file_id)
    if (!file) return
    const folder =
      directory_id === null ? [] : (directories.get(directory_id) ?? '').split('/').map(toSafePart)
    const entry = new ZipPassThrough(toName([...folder, toSafePart(file.filename)].join('/')))
    entry.mtime = file.updated_at * 1000
    zip.add(entry)
    for await (const part of await files.open(file_id, { signal })) {
      entry.push(part as Buffer)
      if (response.writableNeedDrain) await once(response, 'drain', { signal })
    }
    entry.push(new Uint8Array(0), true)
  }
  try {
    for (const link of links) await addFile(link)
    zip.end()
  } catch (error) {
    // The client disconnected; nothing left to do.
    if (!signal.aborted) throw error
  }
}
