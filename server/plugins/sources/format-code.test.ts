import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagedPython } from '../../testing/packaged-python.ts'
import { pluginEnvironment } from '../../testing/plugin-python.ts'
import { startPackageIndex } from '../../testing/start-package-index.ts'
import { startTestServer } from '../../testing/start-server.ts'
import { writeWheel } from '../../testing/write-wheel.ts'

/** Stands in for the formatter: the test covers how it is called and how its results are used. */
const BLACK = `
class InvalidInput(ValueError):
    pass


class Mode:
    pass


def format_str(code, *, mode):
    if code == "def (":
        raise InvalidInput("Cannot parse: 1:4: def (")
    if code == "crash":
        raise RuntimeError("a fault of its own")
    return code.replace(" ", "") + "\\n"
`

async function start(environment: Readonly<Record<string, string>>) {
  const server = await startTestServer({ environment: { ...pluginEnvironment, ...environment } })
  onTestFinished(() => server.close())
  const token = await server.signUp('Ada')
  const format = (code: unknown, caller = token) =>
    server.call('POST', '/api/v1/utils/code/format', { token: caller, body: { code } })
  return { server, token, format }
}

// Only with the app's packaged Python, as any other needs the packages of all plugins from the
// index as well.
test.skipIf(packagedPython === null)(
  'Python is formatted in a process of its own, with a formatter that is installed when it is first used',
  async () => {
    const wheels = mkdtempSync(path.join(tmpdir(), 'wheels-'))
    writeWheel(wheels, 'black', { version: '26.10.1', files: { 'black.py': BLACK } })
    const index = await startPackageIndex(wheels)
    onTestFinished(async () => {
      await index.close()
      rmSync(wheels, { recursive: true })
    })
    const { server, token, format } = await start({
      PLUGIN_PYTHON: '',
      PACKAGED_PYTHON: packagedPython!,
      ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS: 'true',
      PIP_INDEX_URL: index.url,
    })
    const formatted = await format('x = 1')
    expect([formatted.status, await formatted.json()]).toEqual([200, { code: 'x=1\n' }])
    const refused = await format('def (')
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { detail: 'Cannot parse: 1:4: def (' },
    ])
    expect((await format('crash')).status).toBe(502)
    expect((await format(7)).status).toBe(422)
    expect((await format('x'.repeat(1024 * 1024 + 1))).status).toBe(422)
    // It is not listed as a tool.
    expect(await (await server.call('GET', '/api/v1/tools/', { token })).text()).not.toContain(
      'formatter',
    )
    const account = {
      name: 'Eve',
      email: 'eve@example.com',
      password: 'correct horse battery',
      role: 'user',
    }
    const added = await server.call('POST', '/api/v1/auths/add', { token, body: account })
    expect((await format('x=1', ((await added.json()) as { token: string }).token)).status).toBe(
      401,
    )
  },
  120_000,
)

test('where nothing may be installed, the answer says what to do', async () => {
  const { format } = await start({})
  const response = await format('x=1')
  expect(response.status).toBe(503)
  expect(((await response.json()) as { detail: string }).detail).toMatch(
    /black.*ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS/,
  )
})
