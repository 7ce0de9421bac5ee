/** A user, model or channel that can be mentioned. */
export interface Mention {
  /** `@U` for a user, `@M` for a model, `#C` for a channel. */
  readonly kind: '@U' | '@M' | '#C'
  readonly id: string
  readonly name: string
}

const TOKEN = /<(@U|@M|#C):([^|>\s]{1,256})(?:\|([^>\n]{0,256}))?>/g

/** Returns a name without characters that would end a mention. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[<>|\n]/g, ' ')
    .trim()
    .slice(0, 200)

/** Returns the form of a mention in the input box. */
export const mentionLabel = ({ kind, name }: Mention): string => `${kind[0]}${plainName(name)}`

const toToken = ({ kind, id, name }: Mention): string => `<${kind}:${id}|${plainName(name)}>`

const isWordSign = (sign: string | undefined): boolean =>
  sign !== undefined && /[\p{L}\p{N}_]/u.test(sign)

/**
 * Returns the message for a text: the chosen mentions replace their names, the longest name first.
 */
export function toContent(text: string, mentions: readonly Mention[]): string {
  const byLength = mentions.toSorted((left, right) => right.name.length - left.name.length)
  let content = ''
  let at = 0
  while (at < text.length) {
    const place = at
    const mention = byLength.find((each) => {
      const label = mentionLabel(each)
      return (
        text.startsWith(label, place) &&
        !isWordSign(text[place - 1]) &&
        !isWordSign(text[place + label.length])
      )
    })
    content += mention ? toToken(mention) : text[at]
    at += mention ? mentionLabel(mention).length : 1
  }
  return content
}

/** Returns the editable text of a message, and its mentions. */
export function fromContent(content: string): {
  readonly text: string
  readonly mentions: readonly Mention[]
} {
  const mentions: Mention[] = []
  const text = content.replaceAll(
    TOKEN,
    (_all, kind: Mention['kind'], id: string, name: string | undefined) => {
      const mention = { kind, id, name: name?.trim() || id }
      mentions.push(mention)
      return mentionLabel(mention)
    },
  )
  return { text, mentions }
}

/** Markdown syntax that is removed from an excerpt. */
const MARKUP = /\*\*|~~|`+|^\s*(?:#+|[-*>]|\d+\.)\s+/gm

/** Returns a message as plain text on one line, for excerpts and announcements. */
export const toPlainText = (content: string): string =>
  fromContent(content).text.replaceAll(MARKUP, '').replaceAll(/\s+/g, ' ').trim()

export const mentionsModel = (content: string): boolean => /<@M:[^|>\s]+/.test(content)
