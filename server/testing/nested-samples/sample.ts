export type Fields = Record<string, unknown>
export type TargetKind = 'provider' | 'runtime' | 'messages'

/** A request with one nested field or kind, and the evidence that it reached the upstream. */
export interface NestedSample {
  readonly body: Fields | ((model: string) => Fields)
  /**
   * Pattern in the upstream's request that shows the field arrived; the needle itself if absent.
   */
  readonly shows?: RegExp | Partial<Record<TargetKind, RegExp>>
  /** Pattern in the answer, for fields that concern answers. */
  readonly answers?: RegExp
  /** Name under which the log reports that it was left out, if a later format left it out. */
  readonly logged?: string
}

/** A word that occurs nowhere else. */
export const NEEDLE = 'Wunderkammer'
export const BASE64 = Buffer.from(NEEDLE).toString('base64')
export const TEXT_FILE = `data:text/plain;base64,${BASE64}`
export const PICTURE = { type: 'base64', media_type: 'image/png', data: BASE64 }
export const SHOWS_PICTURE = { shows: new RegExp(BASE64) }
export const SHOWS_NAME = { runtime: /"tool_name":"one"/ }

export const QUESTION = { role: 'user', content: 'Hi' }
export const schema = { type: 'object', properties: {} }
export const list = (
  names: string,
  sample: (name: string) => NestedSample,
): Record<string, NestedSample> =>
  Object.fromEntries(names.split(' ').map((name) => [name, sample(name)]))
export const kindOf = (name: string): string => name.slice(name.indexOf(':') + 1)
export const fieldOf = (name: string): string => name.slice(name.indexOf('.') + 1)
