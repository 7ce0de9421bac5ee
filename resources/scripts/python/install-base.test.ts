import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pluginPython } from '../../../server/testing/plugin-python.ts'
import { compileModules } from './install-base.ts'

test.skipIf(pluginPython === null)(
  'modules of the package come compiled, and are taken so wherever and whenever it was unpacked',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'install-base-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const source = path.join(folder, 'told.py')
    writeFileSync(source, 'print("compiled")\n')
    await compileModules(folder, pluginPython!)
    expect(globSync('__pycache__/told.*.pyc', { cwd: folder })).toHaveLength(1)
    writeFileSync(source, 'print("compiled anew, which takes its time")\n')
    utimesSync(source, 0, 0)
    const words = [
      '-B',
      '-c',
      `import sys; sys.path.insert(0, ${JSON.stringify(folder)}); import told`,
    ]
    expect(execFileSync(pluginPython!, words, { encoding: 'utf8', env: {} }).trim()).toBe(
      'compiled',
    )
  },
)
