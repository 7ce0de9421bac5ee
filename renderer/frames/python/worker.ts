import { listen, send } from './close-worker.ts'
import { FILES, fetchHeld, holdFile, receivePackage } from './provide-files.ts'
import { limitMemory } from './limit-memory.ts'
import { loadPyodide, type PyodideAPI } from 'pyodide'
import { CELL_MODULE, PYTHON_CELL, UPLOADS_FOLDER } from '../../../server/contract/python-cell.ts'
import type {
  CellError,
  CellValue,
  FileBytes,
  RuntimeParts,
  WorkerRequest,
} from '../../../server/contract/python-frame.ts'
import { OutputStream } from './output-stream.ts'

/** First message of the frame to a new worker. */
export interface WorkerStart {
  readonly type: 'start'
  readonly parts: Omit<RuntimeParts, 'wasm'>
  readonly module: WebAssembly.Module
}

interface Cells {
  run(code: string, outputLimit: number, missing: string): Promise<string>
  listen(write: OutputStream['write']): void
}

interface PythonCode {
  find_imports(code: string): { toJs(): string[]; destroy(): void }
}

interface RanCell {
  readonly stdout: string
  readonly stderr: string
  readonly result: string | null
  readonly html: string | null
  readonly pictures: readonly string[]
  readonly error: CellError | null
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

type RunRequest = Extract<WorkerRequest, { type: 'run' }>

const FOLDER = `${UPLOADS_FOLDER}/`
const MOST_FILES = 50

const output = new OutputStream()

const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Uses the module compiled once for all workers of the frame; it is only instantiated here. */
function useModule(module: WebAssembly.Module): void {
  const own = WebAssembly.instantiateStreaming
  WebAssembly.instantiateStreaming = async (_, imports) => {
    WebAssembly.instantiateStreaming = own
    return { module, instance: await WebAssembly.instantiate(module, imports) }
  }
}

async function start({ parts, module }: WorkerStart): Promise<PyodideAPI> {
  self.fetch = fetchHeld
  holdFile('python_stdlib.zip', parts.library)
  holdFile('pyodide.asm.wasm', '')
  useModule(module)
  const address = URL.createObjectURL(new Blob([parts.script], { type: 'text/javascript' }))
  const { default: createPyodideModule } = (await import(/* @vite-ignore */ address)) as {
    default: never
  }
  URL.revokeObjectURL(address)
  const runtime = await loadPyodide({
    indexURL: FILES,
    packageBaseUrl: FILES,
    lockFileContents: parts.packages,
    createPyodideModule,
    // Python has no access to objects of the worker.
    jsglobals: Object.create(null) as object,
    stdin: () => null,
    stdout: () => undefined,
    stderr: () => undefined,
  } as Parameters<typeof loadPyodide>[0])
  runtime.runPython(PYTHON_CELL)
  const cells = runtime.pyimport(CELL_MODULE) as unknown as Cells
  cells.listen((stream, text) => output.write(stream, text))
  for (const name of ['js', 'pyodide_js']) runtime.unregisterJsModule(name)
  return runtime
}

function layFiles({ FS }: PyodideAPI, files: readonly FileBytes[]): void {
  for (const { name, bytes } of files) FS.writeFile(FOLDER + name.replaceAll('/', '_'), bytes)
}

function takeFiles(
  { FS }: PyodideAPI,
  written: RanCell['files'],
  limit: number,
): Pick<CellValue, 'files' | 'tooLarge'> {
  const files: FileBytes[] = []
  const tooLarge: string[] = []
  let room = limit
  for (const { path, size } of written) {
    const name = path.slice(FOLDER.length)
    if (files.length >= MOST_FILES || size > room) tooLarge.push(name)
    else files.push({ name, bytes: FS.readFile(path).slice() })
    room -= size > room ? 0 : size
  }
  return { files, tooLarge }
}

function findImports(runtime: PyodideAPI, code: string): readonly string[] {
  try {
    const found = (runtime.pyimport('pyodide.code') as unknown as PythonCode).find_imports(code)
    const names = found.toJs()
    found.destroy()
    return names
  } catch {
    // A syntax error is reported when the code runs.
    return []
  }
}

/** Returns packages together with their dependencies. */
function withNeeds(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>()
  const pending = [...names]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue
    found.add(name)
    pending.push(...needsOf(name))
  }
  return found
}

/**
 * Loads the packages that the code imports and the gateway has; resolves with messages for the other
 * known ones, by the name of the import.
 */
async function loadImports(
  runtime: PyodideAPI,
  code: string,
  installed: readonly string[],
): Promise<Record<string, string>> {
  const known = runtime.lockfile.packages
  const here = withNeeds(installed, (name) => known[name]?.depends ?? [])
  const missing: Record<string, string> = {}
  for (const [name, { imports }] of Object.entries(known)) {
    if (here.has(name)) continue
    for (const each of imports)
      missing[each] =
        `The package ${name} is not here. An administrator can have it fetched in the settings of code.`
  }
  const imported = findImports(runtime, code)
  const wanted = [...here].filter((name) =>
    known[name]?.imports.some((each) => imported.includes(each)),
  )
  // The gateway verified the files when it downloaded them.
  const options = {
    checkIntegrity: false,
    messageCallback: () => undefined,
    errorCallback: () => undefined,
  }
  if (wanted.length > 0) await runtime.loadPackage(wanted, options)
  return missing
}

async function run(
  runtime: PyodideAPI,
  { code, files, limits, installed }: RunRequest,
): Promise<CellValue> {
  limitMemory(limits.memory)
  layFiles(runtime, files)
  const missing = await loadImports(runtime, code, installed)
  send({ type: 'phase', phase: 'running' })
  const cells = runtime.pyimport(CELL_MODULE) as unknown as Cells
  const ran = JSON.parse(await cells.run(code, limits.output, JSON.stringify(missing))) as RanCell
  output.flush()
  const { stdout, stderr, result, html, pictures, error } = ran
  return {
    stdout,
    stderr,
    result,
    html,
    pictures,
    error,
    ...takeFiles(runtime, ran.files, limits.file),
  }
}

function giveUp(thrown: unknown): void {
  output.flush()
  const message = messageOf(thrown)
  send({
    type: 'ended',
    reason: /memory/i.test(message) ? 'memory' : 'failed',
    message: message.slice(0, 2000),
  })
}

let starting: Promise<PyodideAPI> | null = null

async function handle(data: WorkerStart | WorkerRequest): Promise<void> {
  if (data.type === 'start') {
    send({ type: 'phase', phase: 'loading' })
    starting = start(data)
    await starting
  } else if (data.type === 'package') receivePackage(data.name, data.bytes)
  else if (starting) {
    const value = await run(await starting, data)
    send({ type: 'done', value }, { transfer: value.files.map(({ bytes }) => bytes.buffer) })
  }
}

listen(
  'message',
  ({ data }: MessageEvent<WorkerStart | WorkerRequest>) => void handle(data).catch(giveUp),
)
