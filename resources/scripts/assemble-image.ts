// node resources/scripts/assemble-image.ts <folder>: copies the files that a headless gateway needs
// at runtime from a built tree into an empty folder.
import { cp, mkdir, readdir } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { EXTERNAL } from './node-bundle.ts'
import { root } from './run-step.ts'

/**
 * Packages used only by the desktop app, and the runtime for models, which is larger than all the
 * rest.
 */
const LEFT_OUT = new Set(['electron', 'keytar', 'node-llama-cpp'])
/** Packages that the bundle also finds by name on the disk. */
const FOUND_BY_NAME = [`sqlite-vec-${process.platform}-${process.arch}`]
const FILES = [
  'package.json',
  'CHANGELOG.md',
  'LICENSE',
  'out/server',
  'out/renderer',
  'out/command-line',
  'resources/embedding/lexicon.txt',
]
/** Sources from which native packages are built. */
const NOT_NEEDED =
  /^node_modules\/(better-sqlite3\/(deps|src)|@fugood\/whisper\.node\/(src|whisper\.cpp))(\/|$)/

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const folderOf = (name: string): string => path.join('node_modules', name)

const isThere = (name: string): boolean => existsSync(path.join(root, folderOf(name)))

/** Collects a package with all its dependencies; optional ones only if they are installed. */
function collect(name: string, found: Set<string>): void {
  if (found.has(name)) return
  if (!isThere(name)) throw new Error(`${name} is not installed.`)
  found.add(name)
  const text = readFileSync(path.join(root, folderOf(name), 'package.json'), 'utf8')
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as Package
  const optional = new Set(Object.keys(optionalDependencies))
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
    if (!optional.has(needed) || isThere(needed)) collect(needed, found)
}

function isNeeded(file: string): boolean {
  const place = path.relative(root, file)
  if (NOT_NEEDED.test(place)) return false
  const prebuilt = /\/prebuilds\/([^/]+)$/.exec(place)?.[1]
  return prebuilt === undefined || prebuilt.startsWith(`${process.platform}-${process.arch}`)
}

async function assemble(target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  if ((await readdir(target)).length > 0) throw new Error(`${target} is not empty.`)
  const packages = new Set<string>()
  const names = EXTERNAL.filter((name) => typeof name === 'string' && !LEFT_OUT.has(name))
  for (const name of [...names, ...FOUND_BY_NAME]) collect(String(name), packages)
  for (const file of [...FILES, ...[...packages].map(folderOf)])
    await cp(path.join(root, file), path.join(target, file), { recursive: true, filter: isNeeded })
}

const [target] = process.argv.slice(2)
if (target === undefined) {
  console.error('Usage: node resources/scripts/assemble-image.ts <empty folder>')
  process.exit(2)
}
await assemble(path.resolve(target))
