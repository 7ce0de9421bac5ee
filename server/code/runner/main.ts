// Program of a process that runs cells of Python (see `RunnerMessage`). It has only two pipes, and
// may only read the files of the runtime: code that takes over this process gains no more than
// that.
import { constants, existsSync } from 'node:fs'
import { Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { RunnerFile, RunnerJob, RunnerReport, RunnerStart } from './protocol.ts'

interface FileSystem {
  readFile(path: string): Uint8Array
  writeFile(path: string, data: Uint8Array): void
  mkdirTree(path: string): void
}

interface LockedPackage {
  readonly file_name: string
  readonly depends: readonly string[]
  readonly imports: readonly string[]
}

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

interface Runtime {
  readonly FS: FileSystem
  readonly lockfile: { readonly packages: Readonly<Record<string, LockedPackage>> }
  runPython(code: string): unknown
  loadPackage(names: readonly string[], options: object): Promise<unknown>
  pyimport(name: string): {
    run(code: string, limit: number, missing: string): Promise<string>
    find_imports(code: string): Py
  }
  unregisterJsModule(name: string): void
  setStdout(options: object): void
  setStderr(options: object): void
}
interface Py {
  toJs(): string[]
  destroy(): void
}

const IN = 3
const OUT = 4
const PAGE = 65_536
const UPLOADS = '/mnt/uploads/'
const PIECE_BYTES = 384 * 1024

const output = new Socket({ fd: OUT, readable: false, writable: true })
const report = (message: RunnerReport): void => void output.write(`${JSON.stringify(message)}\n`)

/** Limits the memory of WebAssembly, so that Python raises MemoryError beyond it. */
function limitMemory(bytes: number): void {
  const { prototype } = (
    globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } }
  ).WebAssembly.Memory
  // oxlint-disable-next-line typescript/unbound-method -- called with its own memory as `this` below
  const { grow } = prototype
  prototype.grow = function (this: WasmMemory, pages) {
    if (this.buffer.byteLength + pages * PAGE > bytes)
      throw new RangeError('The memory of this process is used up.')
    return grow.call(this, pages)
  }
}

async function startRuntime({ folder, packages, cell, memory }: RunnerStart): Promise<Runtime> {
  limitMemory(memory)
  // The runtime reads the constants of the file system from a property that Node no longer provides
  // to a process with few rights.
  Object.assign(process, { binding: () => ({ fs: constants }) })
  const { loadPyodide } = (await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href)) as {
    loadPyodide(this: void, options: object): Promise<Runtime>
  }
  const runtime = await loadPyodide({
    indexURL: folder,
    packageCacheDir: packages,
    packageBaseUrl: packages,
    // Python gets no access to the process.
    jsglobals: Object.create(null) as object,
    // Otherwise `_` would be the path of this program.
    env: { HOME: '/home/pyodide', LANG: 'C.UTF-8', _: 'python' },
  })
  const nowhere = { write: (bytes: Uint8Array) => bytes.length, isatty: false }
  runtime.setStdout(nowhere)
  runtime.setStderr(nowhere)
  runtime.runPython(cell)
  for (const name of ['js', 'pyodide_js']) runtime.unregisterJsModule(name)
  return runtime
}

/**
 * Loads the fetched packages that the code imports; returns those that are known but missing, by
 * the name of the import.
 */
async function loadImports(
  runtime: Runtime,
  folder: string,
  code: string,
): Promise<Record<string, string>> {
  const known = runtime.lockfile.packages
  const names = Object.keys(known)
  const isThere = (name: string): boolean =>
    known[name] !== undefined &&
    existsSync(path.join(folder, known[name].file_name)) &&
    known[name].depends.every(isThere)
  const missing: Record<string, string> = {}
  const wanted = new Set<string>()
  for (const name of findImports(runtime, code)) {
    const found = names.find((each) => known[each]!.imports.includes(name))
    if (found !== undefined && isThere(found)) wanted.add(found)
  }
  for (const name of names) {
    if (isThere(name)) continue
    for (const each of known[name]!.imports) {
      missing[each] =
        `The package ${name} is not here. An administrator can have it fetched in the settings of code.`
    }
  }
  if (wanted.size > 0)
    await runtime.loadPackage([...wanted], {
      checkIntegrity: true,
      messageCallback: () => undefined,
    })
  return missing
}

function findImports(runtime: Runtime, code: string): string[] {
  try {
    const found = runtime.pyimport('pyodide.code').find_imports(code)
    const names = found.toJs()
    found.destroy()
    return names
  } catch {
    // Code that cannot be parsed reports it when it runs.
    return []
  }
}

/**
 * Sends the files a cell wrote, in pieces short enough for a line; only names those beyond the
 * limit.
 */
function sendFiles(
  { FS }: Runtime,
  job: RunnerJob,
  written: readonly { path: string; size: number }[],
) {
  let room = job.fileLimit
  return written.map(({ path: place, size }) => {
    const name = place.slice(UPLOADS.length)
    const isTaken = size <= room
    if (isTaken) {
      room -= size
      const bytes = Buffer.from(FS.readFile(place))
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        report({
          type: 'piece',
          id: job.id,
          name,
          data: bytes.toString('base64', at, at + PIECE_BYTES),
        })
      }
    }
    return { name, size, isTaken }
  })
}

async function runJob(runtime: Runtime, packages: string, job: RunnerJob): Promise<void> {
  const missing = await loadImports(runtime, packages, job.code)
  const text = await runtime
    .pyimport('gateway_cell')
    .run(job.code, job.outputLimit, JSON.stringify(missing))
  const result = JSON.parse(text) as { files: { path: string; size: number }[] }
  report({
    type: 'result',
    id: job.id,
    result: { ...result, files: sendFiles(runtime, job, result.files) },
  })
}

async function serve(): Promise<void> {
  const lines = createInterface({ input: new Socket({ fd: IN, readable: true, writable: false }) })[
    Symbol.asyncIterator
  ]()
  const first = await lines.next()
  if (first.done) return
  const start = JSON.parse(first.value) as RunnerStart
  const runtime = await startRuntime(start)
  report({ type: 'ready' })
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const job = JSON.parse(line.value) as RunnerFile | RunnerJob
    if (job.type === 'file') {
      runtime.FS.writeFile(UPLOADS + job.name, Buffer.from(job.data, 'base64'))
      continue
    }
    try {
      await runJob(runtime, start.packages, job)
    } catch (error) {
      report({
        type: 'failed',
        id: job.id,
        reason: error instanceof Error ? error.message.slice(0, 2000) : 'The runtime failed.',
      })
      process.exit(1)
    }
  }
}

await serve()
process.exit(0)
