/** A requirement line, or the reason why it is refused. */
export type ReadRequirement =
  | { readonly requirement: string }
  | { readonly refused: string }
  | { readonly ignored: true }

/** Modules of the standard library that authors list by mistake (docs/plugin-contract.md). */
const STANDARD_LIBRARY = new Set(
  (
    'abc argparse ast asyncio base64 bisect calendar collections concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal difflib ' +
    'email enum fractions functools glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json logging math mimetypes ' +
    'multiprocessing operator os pathlib pickle platform pprint queue random re secrets shelve shlex shutil signal smtplib socket sqlite3 ssl stat ' +
    'statistics string struct subprocess sys tarfile tempfile textwrap threading time timeit traceback types typing unicodedata unittest urllib ' +
    'uuid warnings wave weakref webbrowser xml zipfile zlib zoneinfo'
  ).split(' '),
)

/** Name, extras, version conditions and a marker; no file, URL or option of the installer. */
const REQUIREMENT =
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\s*(?:\[\s*[A-Za-z0-9._-]+(?:\s*,\s*[A-Za-z0-9._-]+)*\s*\])?\s*(?:(?:===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+(?:\s*,\s*(?:===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+)*)?\s*(?:;[\w\s.<>=!~'"()-]+)?$/

/** Parses one line as data. */
export function readRequirement(line: string): ReadRequirement {
  const text = line.trim()
  if (text === '' || STANDARD_LIBRARY.has(text.toLowerCase())) return { ignored: true }
  if (text.startsWith('-')) return { refused: 'Options of the installer are not allowed.' }
  if (text.includes('://') || text.includes('@'))
    return { refused: 'Only packages of the index can be named, no addresses.' }
  if (text.length > 300 || /\p{C}/u.test(text) || !REQUIREMENT.test(text))
    return { refused: 'This is no name of a package with a version.' }
  return { requirement: text.replaceAll(/\s+/g, ' ') }
}

/** Returns the lines of a plugin in a fixed order without duplicates, and the refused ones. */
export function readRequirements(lines: readonly string[]): {
  requirements: string[]
  refused: { line: string; reason: string }[]
} {
  const requirements = new Set<string>()
  const refused: { line: string; reason: string }[] = []
  for (const line of lines) {
    const read = readRequirement(line)
    if ('requirement' in read) requirements.add(read.requirement)
    else if ('refused' in read) refused.push({ line: line.slice(0, 300), reason: read.refused })
  }
  return { requirements: [...requirements].toSorted(), refused }
}
