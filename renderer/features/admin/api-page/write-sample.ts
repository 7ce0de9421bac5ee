/** A call to be shown in a programming language. */
export interface SampleCall {
  readonly origin: string
  readonly method: string
  /** Path with the values of its parameters. */
  readonly path: string
  /** JSON text; null for none. */
  readonly body: string | null
  readonly needsKey: boolean
}

export const LANGUAGES = Object.freeze(['curl', 'typescript', 'python'] as const)
export type SampleLanguage = (typeof LANGUAGES)[number]

const KEY = 'CHAT_GATEWAY_KEY'

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
const quoteShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function writeCurl({ origin, method, path, body, needsKey }: SampleCall): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteShell(origin + path)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $${KEY}"`] : []),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `--data ${quoteShell(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

function writeTypeScript({ origin, method, path, body, needsKey }: SampleCall): string {
  const headers = [
    ...(needsKey ? [`    Authorization: \`Bearer \${process.env.${KEY}}\`,`] : []),
    ...(body === null ? [] : [`    'Content-Type': 'application/json',`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === null ? [] : [`  body: JSON.stringify(${indent(body, '  ')}),`]),
  ]
  const address = JSON.stringify(origin + path)
  const fetched =
    options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join('\n')}\n})`
  return `const response = await ${fetched}\nconsole.log(await response.text())`
}

/** Converts JSON to Python syntax: replaces the three differing keywords outside strings. */
export const toPython = (json: string): string =>
  json.replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (found) => ({ true: 'True', false: 'False', null: 'None' })[found] ?? found,
  )

function writePython({ origin, method, path, body, needsKey }: SampleCall): string {
  const values = [
    `    ${JSON.stringify(origin + path)},`,
    ...(needsKey ? [`    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},`] : []),
    ...(body === null ? [] : [`    json=${indent(toPython(body), '    ')},`]),
  ]
  const imports = needsKey ? 'import os\n\nimport requests' : 'import requests'
  return `${imports}\n\nresponse = requests.${method.toLowerCase()}(\n${values.join('\n')}\n)\nprint(response.text)`
}

const WRITERS: Record<SampleLanguage, (call: SampleCall) => string> = {
  curl: writeCurl,
  typescript: writeTypeScript,
  python: writePython,
}

/** Returns a code sample of a call; it reads the key from the environment. */
export const writeSample = (language: SampleLanguage, call: SampleCall): string =>
  WRITERS[language](call)
