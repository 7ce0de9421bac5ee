import { execFileSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PluginState } from '#contract/plugins.ts'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'
import { readRequirement, readRequirements } from './requirements.ts'

/** Reports whether packages can be installed here. */
function canInstall(): boolean {
  try {
    execFileSync(
      'python3',
      ['-m', 'pip', 'download', '--no-deps', '-q', '-d', '/tmp', 'iniconfig==2.0.0'],
      {
        stdio: 'ignore',
        timeout: 30_000,
      },
    )
    return true
  } catch {
    return false
  }
}

const NEEDS = (line: string): string => `"""
title: Needs something
requirements: ${line}
"""


class Tools:
    def version(self) -> str:
        import iniconfig
        return iniconfig.__file__
`

const state = (plugins: PluginServer) => plugins.api('GET', 'plugins/state') as Promise<PluginState>
const start = async (environment: Record<string, string>): Promise<PluginServer> => {
  const plugins = await startPlugins({ LOG_LEVEL: 'silent', ...environment })
  onTestFinished(() => plugins.close())
  return plugins
}

describe('Requirement lines', () => {
  test.each([
    'requests',
    'requests==2.31.0',
    'pydantic >= 2, < 3',
    'uvicorn[standard]>=0.2',
    'tomli; python_version < "3.11"',
    'a.b-c_d',
  ])('%j names a package', (line) => expect(readRequirement(line)).toHaveProperty('requirement'))

  test.each([
    '--index-url http://evil.example/',
    '-r /etc/passwd',
    'git+https://example.org/x.git',
    'x @ file:///etc/passwd',
    './local',
    '/absolute/path',
    '../up',
    'requests; os.system("x")\nfoo',
    'a b c',
    `a${'b'.repeat(400)}`,
  ])('%j is refused', (line) => expect(readRequirement(line)).toHaveProperty('refused'))

  test('modules of the standard library are left out, and the order does not matter', () => {
    expect(readRequirements(['typing', 'b', 'asyncio', 'a', 'b']).requirements).toEqual(['a', 'b'])
  })
})

describe.skipIf(pluginPython === null)('Environments of plugins', () => {
  test('lines that are no packages are refused before anything is installed', async () => {
    const plugins = await start({})
    await expect(
      plugins.createTool('evil', NEEDS('--index-url=http://127.0.0.1:9/')),
    ).rejects.toThrow(/^400.*Options of the installer/)
    const { environments } = await state(plugins)
    expect(environments.every(({ requirements }) => requirements.length === 0)).toBe(true)
  }, 200_000)

  test('where nothing may be installed, a plugin that asks for something is refused with the reason', async () => {
    const plugins = await start({})
    await expect(plugins.createTool('needs', NEEDS('iniconfig'))).rejects.toThrow(
      /503.*iniconfig would have to be installed.*turned off/,
    )
    // The interpreter has these.
    const lines = 'pydantic>=2, typing_extensions'
    expect(await plugins.createTool('content', NEEDS(lines))).toMatchObject({ id: 'content' })
  }, 60_000)

  test.skipIf(!canInstall())(
    'packages are installed above the base, shown with what the installer said, and kept for the next start',
    async () => {
      const plugins = await start({
        ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS: 'true',
        PLUGIN_BASE_PACKAGES: 'pydantic',
      })
      const creating = plugins.createTool('needs', NEEDS('iniconfig, typing'))
      await expect
        .poll(async () => (await state(plugins)).environments.map(({ status }) => status), {
          timeout: 30_000,
        })
        .toContain('installing')
      await creating
      const trace = (await plugins.api('POST', 'plugins/tool/needs/run', { hook: 'version' })) as {
        result: { text: string }
      }
      const { environments, python } = await state(plugins)
      expect(python.status).toBe('ready')
      expect(environments).toMatchObject([
        { id: 'base', status: 'ready' },
        { requirements: ['iniconfig'], status: 'ready' },
      ])
      expect(environments[1]!.log.join('\n')).toContain('Successfully installed iniconfig')
      expect(trace.result.text).toContain(`/environments/${environments[1]!.id}/`)
      await expect(
        plugins.createTool('impossible', NEEDS('no-such-package-anywhere-7261')),
      ).rejects.toThrow(/503.*could not be installed.*no-such-package/)
    },
    300_000,
  )
})

describe('Without Python', () => {
  test('plugins say exactly what is missing, and everything else works', async () => {
    const plugins = await start({ PLUGIN_PYTHON: '/nowhere/python3' })
    await expect(plugins.createTool('good', 'class Tools:\n    pass\n')).rejects.toThrow(
      /503.*Plugins need Python, which is not there.*PLUGIN_PYTHON names \/nowhere\/python3.*Let PLUGIN_PYTHON name a Python 3\.11/,
    )
    expect((await state(plugins)).python).toMatchObject({
      status: 'missing',
      detail: expect.stringContaining('PLUGIN_PYTHON'),
    })
    expect(await plugins.complete({})).toMatchObject({ status: 200 })
  })
})
