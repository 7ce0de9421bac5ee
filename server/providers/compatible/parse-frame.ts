import { isRecord } from '../../lib/is-record.ts'

type Fields = Record<string, unknown>

/** Longer data that is no JSON is not looked through. */
const LONGEST_MENDED = 256 * 1024

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object of data that is nothing else; null for anything that has to be looked at more closely. */
export function parseObject(data: string): Fields | null {
  const value = parse(data)
  return isRecord(value) ? value : null
}

/** The texts of the objects that stand side by side, each without commas in front of a closing bracket; null for anything else. */
function splitObjects(data: string): string[] | null {
  const found: string[] = []
  let [text, comma, depth, isText] = ['', '', 0, false]
  for (let at = 0; at < data.length; at += 1) {
    const each = data[at]!
    if (isText) {
      text += each
      if (each === '\\') text += data[(at += 1)] ?? ''
      else if (each === '"') isText = false
      continue
    }
    if (each === ',' || /\s/.test(each)) {
      if (each === ',' && depth > 0) comma = ','
      continue
    }
    const isClosing = each === '}' || each === ']'
    if (depth === 0 && each !== '{') return null
    text += isClosing ? each : comma + each
    comma = ''
    if (each === '"') isText = true
    else if (each === '{' || each === '[') depth += 1
    else if (isClosing) depth -= 1
    if (depth > 0) continue
    found.push(text)
    text = ''
  }
  return depth === 0 ? found : null
}

/**
 * The JSON objects of one event. It should be one; some senders put two into one event or leave a comma behind the last field,
 * which is mended. None for data that is no object.
 */
export function parseFrames(data: string): Fields[] {
  const value = parse(data)
  if (value !== undefined) return isRecord(value) ? [value] : []
  if (data.length > LONGEST_MENDED || !data.trimStart().startsWith('{')) return []
  const objects = splitObjects(data)?.map(parse) ?? []
  return objects.every(isRecord) ? (objects as Fields[]) : []
}
