type Item = Readonly<Record<string, unknown>>

/** A line with the name of the event whose data follow. */
const NAME_LINE = /^event:[^\r\n]*\r?\n?$/
/** A whole event that begins with its name. */
const NAMED_EVENT = /^event:[^\r\n]*\r?\n(?:.*\n)?data:/

/**
 * Puts the names of events in front of their data. Pipes give on the lines of a provider as they
 * read them, one by one; the host takes a line that does not begin with `data:` for a text of the
 * answer, which it is when no data follow.
 */
export class NameLines {
  #held = ''

  /** An item of a generator, with what was held before it. */
  push(item: Item): Item[] {
    const { text, raw } = item
    const line = this.#held
    this.#held = ''
    if (line !== '' && typeof raw === 'string') return [{ raw: `${line.trimEnd()}\n${raw}` }]
    const before = line === '' ? [] : [{ text: line }]
    if (typeof text !== 'string') return [...before, item]
    if (NAMED_EVENT.test(text))
      return [...before, { raw: text.endsWith('\n\n') ? text : `${text}\n\n` }]
    if (!NAME_LINE.test(text)) return [...before, item]
    this.#held = text
    return before
  }

  end(): Item[] {
    return this.push({ text: '' }).filter(({ text }) => text !== '')
  }
}
