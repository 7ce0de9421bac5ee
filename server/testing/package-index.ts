import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zipSync } from 'fflate'
import { pluginPython } from './plugin-python.ts'
import { writeWheel, type WheelOptions } from './write-wheel.ts'

/**
 * A package index on this machine, with the host's dependencies and the packages a test adds.
 * Nothing is downloaded from elsewhere.
 */
export interface PackageIndex {
  /** Environment of a gateway that installs from it, with `pydantic` as its only base package. */
  readonly environment: Readonly<Record<string, string>>
  add(name: string, options?: WheelOptions): void
  /** Delays all responses about a package until released. */
  hold(name: string): { readonly letGo: () => void }
  close(): Promise<void>
}

/** Dependencies of the host, by the folder of their metadata in an environment. */
const NEEDED = [
  'pydantic',
  'pydantic_core',
  'annotated_types',
  'typing_extensions',
  'typing_inspection',
]

/** Packs the installed packages of an interpreter into wheels again. */
function packInstalled(python: string, folder: string): void {
  const library = path.join(path.dirname(python), '..', 'lib')
  const packages = path.join(
    library,
    readdirSync(library).find((name) => name.startsWith('python'))!,
    'site-packages',
  )
  for (const name of NEEDED) {
    const info = readdirSync(packages).find(
      (each) => each.startsWith(`${name}-`) && each.endsWith('.dist-info'),
    )!
    const listed = readFileSync(path.join(packages, info, 'RECORD'), 'utf8').split('\n')
    const files = listed
      .map((line) => line.split(',')[0]!)
      .filter((file) => file !== '' && !file.startsWith('..') && !file.includes('__pycache__'))
    const own = files.filter((file) => !/\/(?:INSTALLER|REQUESTED|RECORD)$/.test(file))
    const entries = Object.fromEntries(
      own.map((file) => [file, readFileSync(path.join(packages, file))]),
    )
    const record = [...own, `${info}/RECORD`].map((file) => `${file},,\n`).join('')
    const tag = /^Tag: (\S+)$/m.exec(readFileSync(path.join(packages, info, 'WHEEL'), 'utf8'))![1]!
    const bytes = zipSync({ ...entries, [`${info}/RECORD`]: Buffer.from(record) }, { level: 0 })
    writeFileSync(path.join(folder, `${info.replace('.dist-info', '')}-${tag}.whl`), bytes)
  }
}

const normal = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** Requires `pluginPython`. */
export async function startPackageIndex(): Promise<PackageIndex> {
  const folder = mkdtempSync(path.join(tmpdir(), 'package-index-'))
  packInstalled(pluginPython!, folder)
  const held = new Map<string, Promise<void>>()
  const server = createServer((request, response) => {
    const [, kind, name = ''] = new URL(request.url!, 'http://index').pathname.split('/')
    const answer = (): void => {
      const file = path.join(folder, path.basename(name))
      if (kind === 'files' && existsSync(file)) return void response.end(readFileSync(file))
      const wheels = readdirSync(folder).filter(
        (wheel) => normal(wheel.split('-')[0]!) === normal(name),
      )
      if (kind !== 'simple' || wheels.length === 0) return void response.writeHead(404).end()
      response
        .setHeader('Content-Type', 'text/html')
        .end(wheels.map((wheel) => `<a href="/files/${wheel}">${wheel}</a>`).join('\n'))
    }
    void (held.get(normal(name)) ?? Promise.resolve()).then(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    environment: {
      PLUGIN_PYTHON: pluginPython!,
      PLUGIN_BASE_PACKAGES: 'pydantic',
      PIP_INDEX_URL: `http://127.0.0.1:${port}/simple/`,
      ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS: 'true',
      PATH: process.env['PATH'] ?? '',
    },
    add: (name, options) => void writeWheel(folder, name, options),
    hold(name) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(normal(name), promise)
      return {
        letGo() {
          held.delete(normal(name))
          resolve()
        },
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
