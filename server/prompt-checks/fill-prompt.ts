/** A placeholder of a prompt: its position and name. */
interface Blank {
  readonly begin: number
  readonly end: number
  readonly name: string
}

/**
 * Returns the index after the closing braces of a placeholder; -1 if it is not one. Braces in
 * quotes are text.
 */
function endOf(text: string, begin: number): number {
  let isQuoted = false
  for (let at = begin + 2; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '{') return -1
    else if (sign === '}') return text[at + 1] === '}' ? at + 2 : -1
  }
  return -1
}

function* blanksOf(text: string): Generator<Blank> {
  for (let begin = text.indexOf('{{'); begin >= 0; begin = text.indexOf('{{', begin)) {
    const end = endOf(text, begin)
    const name =
      end < 0
        ? ''
        : text
            .slice(begin + 2, end - 2)
            .split('|', 1)[0]!
            .trim()
    if (name !== '') yield { begin, end, name }
    begin = end < 0 ? begin + 1 : end
  }
}

/** Fills the placeholders of a prompt; `missing` names those without a value. */
export function fillPrompt(
  text: string,
  values: Readonly<Record<string, string>>,
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>()
  let filled = ''
  let at = 0
  for (const { begin, end, name } of blanksOf(text)) {
    if (!Object.hasOwn(values, name)) {
      missing.add(name)
      continue
    }
    filled += text.slice(at, begin) + values[name]!
    at = end
  }
  return { text: filled + text.slice(at), missing: [...missing] }
}
