type Item = Readonly<Record<string, unknown>>

/** A line with the name of the event whose data follow. */
const NAME_LINE = /^event:[^\r\n]*\r?\n?$/
/** A complete event that starts with its name. */
const NAMED_EVENT = /^event:[^\r\n]*\r?\n(?:.*\n)?data:/

/**
 * Joins the names of events with their data. Pipes forward the lines of a provider one by one; the
 * host treats a line that does not start with `data:` as text of the answer, which is correct if no
 * data follow.
 */
export class NameLines {
  #held = ''

  /** Returns the item of a generator, preceded by the held items. */
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
