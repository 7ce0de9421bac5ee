import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPython } from './find-python.ts'

const isWindows = process.platform === 'win32'

/** Creates a folder of scripts that stand for interpreters: each prints the given text. */
function programs(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'find-python-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, script] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, name.endsWith('.json') ? script : `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
  }
  return folder
}

const MANIFEST = JSON.stringify({ packages: ['pydantic'], lock: 'a' })
const look = (
  searchPath: string,
  options: { wanted?: string; packagedFolder?: string | null } = {},
) => findPython({ wanted: '', packagedFolder: null, searchPath, folder: tmpdir(), ...options })

describe.skipIf(isWindows)('Finding Python', () => {
  test('the best version of the search path is taken, wherever it stands', async () => {
    const first = programs({ python3: 'echo 3.11.4', 'python3.11': 'echo 3.11.4' })
    const second = programs({ 'python3.12': 'echo 3.12.9' })
    const found = await look([first, second].join(path.delimiter))
    expect(found).toMatchObject({
      python: { path: path.join(second, 'python3.12'), version: '3.12.9', packaged: null },
      remark: null,
    })
  })

  test('without any, it is said where was searched and what to install', async () => {
    const folder = programs({})
    expect(await look(folder)).toEqual({
      missing: `Plugins need Python, which is not there. Searched: ${folder}. Install Python 3.11 to 3.13, or name one in PLUGIN_PYTHON, and start the gateway again.`,
    })
  })

  test('one that is too old, too new or broken is named with what is wrong with it', async () => {
    const folder = programs({
      'python3.12': 'echo broken >&2; exit 1',
      'python3.13': 'echo 3.14.0',
      python3: 'echo 3.9.2',
    })
    expect(await look(folder)).toMatchObject({
      missing: expect.stringContaining(
        `Found, but not suitable: ${folder}/python3.12 did not answer; ${folder}/python3.13 is version 3.14.0; ${folder}/python3 is version 3.9.2.`,
      ),
    })
  })

  test('the setting decides alone, and what it names wrongly is said with a way out', async () => {
    const folder = programs({
      python3: 'echo 3.12.1',
      other: 'echo 3.13.0',
      old: 'echo 3.8.0',
      'app/bin/python3': 'echo 3.12.15',
    })
    const packagedFolder = path.join(folder, 'app')
    writeFileSync(path.join(packagedFolder, 'packages.json'), MANIFEST)
    expect(await look(folder, { wanted: 'other', packagedFolder })).toMatchObject({
      python: { version: '3.13.0', packaged: null },
    })
    expect(await look(folder, { wanted: path.join(folder, 'old') })).toEqual({
      missing: expect.stringMatching(
        /PLUGIN_PYTHON names .*old\. Found, but not suitable: .*3\.8\.0\. Let PLUGIN_PYTHON name a Python/,
      ),
    })
  })

  test('the one of the app comes before those of the machine', async () => {
    const folder = programs({
      'python3.12': 'echo 3.12.1',
      'app/bin/python3': 'echo 3.12.15',
      'app/packages.json': MANIFEST,
    })
    const packagedFolder = path.join(folder, 'app')
    const interpreter = path.join(packagedFolder, 'bin/python3')
    expect(await look(folder, { packagedFolder })).toMatchObject({
      python: {
        path: interpreter,
        version: '3.12.15',
        packaged: { interpreter, packages: ['pydantic'], lock: 'a' },
      },
      remark: null,
    })
  })

  test.each([
    ['is not complete', {}],
    ['is not complete', { 'app/packages.json': MANIFEST }],
    ['is not complete', { 'app/packages.json': '{"pack', 'app/bin/python3': 'echo 3.12.15' }],
    ['did not answer', { 'app/packages.json': MANIFEST, 'app/bin/python3': 'exit 127' }],
  ])(
    'where the one of the app %s, another one stands in, and both are said',
    async (words, files) => {
      const folder = programs({ 'python3.12': 'echo 3.12.1', ...files })
      const packagedFolder = path.join(folder, 'app')
      const found = await look(folder, { packagedFolder })
      expect(found).toMatchObject({
        python: { path: path.join(folder, 'python3.12'), packaged: null },
      })
      expect(found).toMatchObject({
        remark: expect.stringMatching(
          new RegExp(
            `^Plugins run with .*python3\\.12, because .*app.* ${words}\\. Install the app again\\.$`,
          ),
        ),
      })
    },
  )

  test('where neither is there, the app is to be installed again', async () => {
    const folder = programs({})
    expect(await look(folder, { packagedFolder: path.join(folder, 'app') })).toEqual({
      missing: expect.stringMatching(
        /Found, but not suitable: the Python of the app in .* is not complete\. Install the app again\.$/,
      ),
    })
  })
})
