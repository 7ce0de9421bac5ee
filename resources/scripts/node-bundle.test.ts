import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { nodeBundle } from './node-bundle.ts'

const ENTRY = `import { openTheDatabase } from './storage.js'

class GatewayOfTheTest {
  startServing() {
    return openTheDatabase({ isReadOnly: true })
  }
}
for (const gateway of [new GatewayOfTheTest(), new GatewayOfTheTest()]) gateway.startServing()
`
const STORAGE = `export function openTheDatabase({ isReadOnly }) {
  if (isReadOnly) throw new Error('cannot be opened')
  return { isReadOnly }
}
`

test.each(['server', 'main', 'command-line'])(
  'the stack traces of what is shipped as %s name functions and classes',
  async (folder) => {
    const place = mkdtempSync(path.join(tmpdir(), 'node-bundle-'))
    mkdirSync(path.join(place, 'in'))
    writeFileSync(path.join(place, 'in/index.js'), ENTRY)
    writeFileSync(path.join(place, 'in/storage.js'), STORAGE)
    const config = nodeBundle({
      folder,
      entries: { index: path.join(place, 'in/index.js') },
      format: 'es',
    })
    await build({ ...config, build: { ...config.build, outDir: path.join(place, 'out') } })
    writeFileSync(path.join(place, 'out/package.json'), '{ "type": "module" }')
    const { stderr } = spawnSync(process.execPath, [path.join(place, 'out/index.js')], {
      encoding: 'utf8',
    })
    for (const name of ['openTheDatabase', 'GatewayOfTheTest.startServing'])
      expect(stderr).toContain(`at ${name} (`)
  },
  60_000,
)
