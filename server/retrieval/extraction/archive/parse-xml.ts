import { Parser } from 'htmlparser2'
import { Refusal } from '../refusal.ts'

export type Attributes = Readonly<Record<string, string>>

/** Callbacks for elements. Names have no prefix. */
export interface XmlListener {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}

const DEEPEST = 2_000

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the value of an attribute, regardless of its prefix. */
export function attribute(attributes: Attributes, name: string): string | null {
  if (name in attributes) return attributes[name]!
  const key = Object.keys(attributes).find((full) => full.endsWith(`:${name}`))
  return key === undefined ? null : attributes[key]!
}

/**
 * Parses XML as a stream. It only supports the five entities of XML and never follows a
 * declaration, so neither expansion nor outside references exist. `afterPiece` runs between pieces.
 */
export async function parseXml(
  pieces: AsyncIterable<string> | Iterable<string>,
  listener: XmlListener,
  afterPiece: () => Promise<void> = async () => undefined,
): Promise<void> {
  let depth = 0
  let fault: unknown = null
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > DEEPEST)
          throw new Refusal('The file is damaged: its parts are nested too deeply.')
        listener.open(localName(name), attributes)
      },
      onclosetag(name) {
        depth -= 1
        listener.close(localName(name))
      },
      ontext: (text) => listener.text(text),
      onerror(error) {
        fault = error
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  for await (const piece of pieces) {
    parser.write(piece)
    if (fault) throw fault as Error
    await afterPiece()
  }
  parser.end()
  await afterPiece()
}

/** Returns the attributes of every element of that name, for the small lists of office formats. */
export async function readElements(text: string | null, name: string): Promise<Attributes[]> {
  const found: Attributes[] = []
  const ignore = (): void => undefined
  if (text !== null) {
    const open = (element: string, attributes: Attributes): void =>
      void (element === name && found.push(attributes))
    await parseXml([text], { open, close: ignore, text: ignore })
  }
  return found
}
