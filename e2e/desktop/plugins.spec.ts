import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { _electron } from '@playwright/test'
import { packagedPython } from '../../server/testing/packaged-python.ts'
import { BASE_PACKAGES } from '../../server/settings/base-packages.ts'
import { buildPrograms } from './build-programs.ts'
import { expect, test } from './desktop-app.ts'

const root = path.resolve(import.meta.dirname, '../..')
const executable = process.env['ELECTRON_BINARY']
const PROGRAMS = {
  main: 'e2e/desktop/plugin-app/main.ts',
  gateway: 'e2e/desktop/plugin-app/gateway.ts',
}
/** Python used by the tests of the plugin host, if nothing was packed. */
const testPython = path.join(root, 'out/plugin-host-python/bin/python')

const TOOL = `
import os, subprocess, sys

from pydantic import BaseModel


class Found(BaseModel):
    version: str


class Tools:
    def look(self) -> str:
        told = subprocess.run([sys.executable, "-c", "print('from a child')"], capture_output=True, text=True).stdout
        return f"{Found(version=sys.version).version} {sys.base_prefix} {told} {sorted(os.environ)}"
`

test('the gateway inside the app runs a plugin in a Python of its own, without network', async () => {
  test.skip(
    packagedPython === null && !existsSync(testPython),
    'Neither a packed Python nor one for tests is there.',
  )
  const folder = mkdtempSync(path.join(tmpdir(), 'plugin-app-'))
  symlinkSync(path.join(root, 'resources/plugin-host/src'), path.join(folder, 'plugin-host'))
  await buildPrograms(folder, PROGRAMS)
  const electron = await _electron.launch({
    ...(executable && { executablePath: executable }),
    args: [path.join(folder, 'main.js'), folder],
    chromiumSandbox: true,
  })
  await expect.poll(() => electron.evaluate(() => typeof globalThis.runTool)).toBe('function')
  const variables: Record<string, string> = packagedPython
    ? { PACKAGED_PYTHON: packagedPython }
    : { PLUGIN_PYTHON: testPython }
  const order = {
    content: TOOL,
    variables: {
      ...variables,
      BASE_PACKAGES: JSON.stringify(BASE_PACKAGES),
      SECRET_OF_THE_APP: 'x',
    },
  }
  const said = await electron.evaluate(
    (_, { content, variables: given }) => globalThis.runTool(content, 'look', given),
    order,
  )
  expect(said).toContain('from a child')
  if (packagedPython) expect(said).toContain(packagedPython)
  expect(said).not.toContain('SECRET_OF_THE_APP')
  await electron.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})
