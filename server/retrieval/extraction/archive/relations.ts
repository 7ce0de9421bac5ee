import path from 'node:path'
import type { Archive } from './open-archive.ts'
import { attribute, parseXml, readElements } from './parse-xml.ts'

/** A reference of a part of an office file, by id. External targets are only shown as text. */
export interface Relation {
  readonly target: string
  readonly type: string
  readonly isOutside: boolean
}

/**
 * Reads the relations of a part of an Office Open XML file; targets inside the archive are full
 * names.
 */
export async function readRelations(
  archive: Archive,
  part: string,
): Promise<Map<string, Relation>> {
  const folder = path.posix.dirname(part)
  const text = await archive.read(
    `${folder}/_rels/${path.posix.basename(part)}.rels`.replace(/^\.\//, ''),
  )
  const relations = new Map<string, Relation>()
  for (const attributes of await readElements(text, 'Relationship')) {
    const target = attribute(attributes, 'Target') ?? ''
    const isOutside = attribute(attributes, 'TargetMode') === 'External'
    const inside = target.startsWith('/')
      ? target.slice(1)
      : path.posix.normalize(path.posix.join(folder, target))
    relations.set(attribute(attributes, 'Id') ?? '', {
      target: isOutside ? target : inside,
      type: (attribute(attributes, 'Type') ?? '').split('/').at(-1)!,
      isOutside,
    })
  }
  return relations
}

/** Returns the title among the properties of a document: the text of the first such element. */
export async function readTitle(text: string | null): Promise<string | null> {
  if (text === null) return null
  let found = ''
  let state: 'before' | 'inside' | 'after' = 'before'
  await parseXml([text], {
    open: (element) => void (element === 'title' && state === 'before' && (state = 'inside')),
    close: (element) => void (element === 'title' && state === 'inside' && (state = 'after')),
    text: (piece) => void (state === 'inside' && (found += piece)),
  })
  return found.trim() || null
}

/** Returns the title among the properties of an Office Open XML file. */
export const readOfficeTitle = async (archive: Archive): Promise<string | null> =>
  await readTitle(await archive.read('docProps/core.xml'))
