import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './run-step.ts'
import { createPartNames } from './split-gateway.ts'

const at = (file: string): string => path.join(root, file)

/** Importers of each module; entries and lazily loaded modules have none. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'server/process/run-process.ts': ['server/app.ts', 'server/context.ts'],
  'server/app.ts': ['server/auth/index.ts', 'server/lib/ids.ts'],
  'server/context.ts': ['server/auth/index.ts', 'server/completions/index.ts'],
  'server/auth/index.ts': ['server/contract/auth.ts', 'node_modules/jose/index.js'],
  'server/storage/backups/back-up-worker.ts': ['server/lib/ids.ts'],
}

const graph = {
  getModuleInfo: (id: string) => ({
    isEntry: id.endsWith('worker.ts'),
    importers: Object.keys(IMPORTS)
      .filter((importer) => IMPORTS[importer]!.some((file) => at(file) === id))
      .map(at),
    dynamicImporters: id === at('server/process/run-process.ts') ? [at('server/index.ts')] : [],
  }),
}

it('parts what only the gateway loads, so that each part imports from earlier ones', () => {
  const nameOf = createPartNames()
  const name = (file: string) => nameOf(at(file), graph)
  expect(name('node_modules/jose/index.js')).toBe('packages')
  expect(name('server/contract/auth.ts')).toBe('gateway-1')
  expect(name('server/auth/index.ts')).toBe('gateway-2')
  expect(name('server/completions/index.ts')).toBe('gateway-5')
  expect(name('server/app.ts')).toBe('gateway-5')
})

it('leaves what a worker loads too in chunks of its own', () => {
  expect(createPartNames()(at('server/lib/ids.ts'), graph)).toBeNull()
})
