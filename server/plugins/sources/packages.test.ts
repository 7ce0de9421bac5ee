import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'
import { missingPackage, moduleOf, packageOf } from './packages.ts'

test.each([
  ['bs4', 'beautifulsoup4'],
  ['PIL.Image', 'pillow'],
  ['google.genai', 'google-genai'],
  ['youtube_transcript_api', 'youtube-transcript-api'],
  ['tiktoken', 'tiktoken'],
  ['constructor', 'constructor'],
])('%s comes with %s', (module, name) => {
  expect(packageOf(module)).toBe(name)
  expect(moduleOf(`${name}>=1`)).toBe(module.split('.')[0]!.toLowerCase())
})

test.each([
  [{ type: 'ModuleNotFoundError', message: "No module named 'openai.types'" }, 'openai'],
  [{ type: 'ModuleNotFoundError', message: "No module named 'open_webui.nothing'" }, null],
  [{ type: 'ImportError', message: "cannot import name 'x' from 'y'" }, null],
  [{ type: 'ModuleNotFoundError', message: "No module named '../../x'" }, null],
])('%j', (failure, name) => {
  expect(missingPackage(failure)).toBe(name)
})

const NEEDY =
  'import no_such_package_7261\n\nclass Tools:\n    def add(self, a: int) -> int:\n        return a\n'

describe.skipIf(pluginPython === null)('A plugin that imports what it does not ask for', () => {
  let plugins: PluginServer
  beforeAll(async () => {
    plugins = await startPlugins()
  })
  afterAll(() => plugins.close())

  test('is refused with the package it needs, and what to do', async () => {
    await expect(plugins.createTool('needy', NEEDY)).rejects.toThrow(
      /400.*needs the package no-such-package-7261.*\\"requirements\\": \[\\"no-such-package-7261\\"\] in its \\"meta\\"/,
    )
    const { warnings } = (await plugins.api('POST', 'plugins/inspect', {
      store: 'tool',
      content: NEEDY,
    })) as { warnings: string[] }
    expect(warnings.join(' ')).toContain(
      'Have these packages installed with it: no-such-package-7261.',
    )
  }, 60_000)

  test('has the package installed when it is saved with it', async () => {
    const body = {
      id: 'needy',
      name: 'Needy',
      content: NEEDY,
      meta: { requirements: ['no-such-package-7261'] },
    }
    // Installing is not allowed in these tests, and the error names the package that was added.
    await expect(plugins.api('POST', 'tools/create', body)).rejects.toThrow(
      /503.*no-such-package-7261 would have to be installed/,
    )
    await expect(
      plugins.api('POST', 'tools/create', {
        ...body,
        meta: { requirements: ['--index-url=http://x'] },
      }),
    ).rejects.toThrow(/400.*Options of the installer/)
  }, 60_000)
})
