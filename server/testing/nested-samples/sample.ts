export type Fields = Record<string, unknown>
export type TargetKind = 'provider' | 'runtime' | 'messages'

/** A request with one nested field or kind in it, and how an upstream shows that it came. */
export interface NestedSample {
  readonly body: Fields | ((model: string) => Fields)
  /** What the upstream's request has in it when the field came; the word itself when absent. */
  readonly shows?: RegExp | Partial<Record<TargetKind, RegExp>>
  /** What the answer has in it, for fields that are about answers. */
  readonly answers?: RegExp
  /**
   * The name under which the log says that it was left out, where it was left out in a later form.
   */
  readonly logged?: string
}

/** A word that stands nowhere else. */
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
