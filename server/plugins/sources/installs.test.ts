import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { PluginEnvironment, PluginState, PluginTrace } from '#contract/plugins.ts'
import type { ToolItem } from '#contract/tools.ts'
import { startPackageIndex, type PackageIndex } from '../../testing/package-index.ts'
import { pluginPython } from '../../testing/plugin-python.ts'
import { startPlugins, type PluginServer } from '../../testing/start-plugins.ts'

const needing = (module: string): string => `import ${module}


class Tools:
    def name(self) -> str:
        return ${module}.NAME
`

/** Needs its package only when it is called. */
const LATER = `class Tools:
    def name(self) -> str:
        import demo_later
        return demo_later.NAME
`

describe.skipIf(pluginPython === null)('Packages a plugin does not ask for', () => {
  let index: PackageIndex
  let plugins: PluginServer
  let member: string
  let stranger: string
  beforeAll(async () => {
    index = await startPackageIndex()
    for (const name of [
      'demo_count',
      'demo_later',
      'demo_slow',
      'demo_own',
      'demo_shared',
      'demo_waiting',
    ])
      index.add(name)
    plugins = await startPlugins({ ...index.environment, LOG_LEVEL: 'silent' })
    member = await plugins.addUser('Cy')
    stranger = await plugins.addUser('Di')
  }, 120_000)
  beforeEach(() => allow(true))
  afterAll(async () => {
    await plugins.close()
    await index.close()
  })

  const allow = async (tools: boolean): Promise<void> => {
    await plugins.api('POST', 'users/default/permissions', { workspace: { tools } })
  }
  const install = (module: string, token?: string, store = 'tool') =>
    plugins.api(
      'POST',
      'plugins/environments',
      { store, content: needing(module), requirements: [module] },
      token,
    ) as Promise<PluginEnvironment>
  const show = (id: string, token?: string) =>
    plugins.api('GET', `plugins/environments/${id}`, undefined, token) as Promise<PluginEnvironment>
  const stop = (id: string, token?: string) =>
    plugins.api('DELETE', `plugins/environments/${id}`, undefined, token)
  const until = async (id: string, status: string, token?: string): Promise<PluginEnvironment> => {
    await expect.poll(async () => (await show(id, token)).status, { timeout: 60_000 }).toBe(status)
    return show(id, token)
  }
  const body = (id: string, module: string, requirements?: string[]) => ({
    id,
    name: id,
    content: needing(module),
    meta: { description: '', ...(requirements && { requirements }) },
  })

  test('are named in the refusal, installed on request, and the plugin then loads with them', async () => {
    const reply = await plugins.server.call('POST', '/api/v1/tools/create', {
      token: plugins.token,
      body: body('counter', 'demo_count'),
    })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ missing_packages: ['demo-count'] })
    const begun = await install('demo_count')
    expect(begun).toMatchObject({
      requirements: ['demo_count'],
      status: expect.stringMatching(/waiting|installing/),
    })
    const ready = await until(begun.id, 'ready')
    expect(ready.log.join('\n')).toContain('Successfully installed demo_count-1.0')
    await plugins.api('POST', 'tools/create', body('counter', 'demo_count', ['demo_count']))
    const { result } = (await plugins.api('POST', 'plugins/tool/counter/run', {
      hook: 'name',
    })) as { result: { text: string } }
    expect(result.text).toBe('demo_count')
  }, 120_000)

  test('of a stored plugin are told with its failed call, and with the fault that keeps it from being loaded', async () => {
    await plugins.createTool('later', LATER)
    const trace = (await plugins.api('POST', 'plugins/tool/later/run', {
      hook: 'name',
    })) as PluginTrace
    expect(trace.error).toMatchObject({
      type: 'ModuleNotFoundError',
      missing_package: 'demo-later',
    })
    const environment = await plugins.api('POST', 'plugins/environments', {
      store: 'tool',
      content: LATER,
      requirements: ['demo-later'],
    })
    await until((environment as PluginEnvironment).id, 'ready')
    await plugins.api('POST', 'tools/id/later/update', {
      id: 'later',
      name: 'later',
      content: LATER,
      meta: { requirements: ['demo-later'] },
    })
    const again = (await plugins.api('POST', 'plugins/tool/later/run', { hook: 'name' })) as {
      result: { text: string }
    }
    expect(again.result.text).toBe('demo_later')
    // The state after the environment was rebuilt without it.
    await plugins.server.context.storage
      .prepare(
        "update plugin set fault = 'It cannot be loaded: No module named ''demo_later''' where id = 'later'",
      )
      .run()
    await plugins.server.context.plugins.resume()
    const listed = (await plugins.api('GET', 'tools/list')) as ToolItem[]
    expect(listed.find(({ id }) => id === 'later')).toMatchObject({ missing_package: 'demo-later' })
    const saved = {
      id: 'later',
      name: 'later',
      content: LATER,
      meta: { requirements: ['demo-later'] },
    }
    expect(await plugins.api('POST', 'tools/id/later/update', saved)).toMatchObject({
      fault: null,
      missing_package: null,
    })
  }, 120_000)

  test('can be stopped on their way and begun anew', async () => {
    const { letGo } = index.hold('demo_slow')
    onTestFinished(letGo)
    const { id } = await install('demo_slow', member)
    await until(id, 'installing', member)
    expect(await stop(id, member)).toBe(true)
    expect(await show(id, member)).toMatchObject({
      status: 'failed',
      detail: 'The installation was stopped.',
    })
    await expect(stop(id, member)).rejects.toThrow(/409.*over already/)
    letGo()
    await install('demo_slow', member)
    await until(id, 'ready', member)
  }, 120_000)

  test('a member installs them only where they may write code, one after the other, and sees nothing of the machine', async () => {
    await allow(false)
    await expect(install('demo_own', member)).rejects.toThrow(/403/)
    await allow(true)
    await expect(install('demo_own', member, 'function')).rejects.toThrow(/401/)
    const { letGo } = index.hold('demo_waiting')
    onTestFinished(letGo)
    const { id } = await install('demo_waiting', member)
    await expect(install('demo_own', member)).rejects.toThrow(/429.*Another installation of yours/)
    await expect(show(id, stranger)).rejects.toThrow(/404/)
    await expect(stop(id, stranger)).rejects.toThrow(/404/)
    letGo()
    const seen = await until(id, 'ready', member)
    expect(seen.log).toEqual([
      'Collecting demo_waiting',
      'Installing collected packages: demo_waiting',
      'Successfully installed demo_waiting-1.0',
    ])
    expect((await show(id)).log.join('\n')).toContain('-r /')
    for (const line of ['--index-url=http://x', '../up', 'x @ http://x/x.whl']) {
      const asked = { store: 'tool', content: 'class Tools: pass', requirements: [line] }
      await expect(plugins.api('POST', 'plugins/environments', asked, member)).rejects.toThrow(
        /^400.*is refused/,
      )
    }
    await expect(
      plugins.api(
        'POST',
        'plugins/environments',
        { store: 'tool', content: 'class Tools: pass', requirements: ['typing'] },
        member,
      ),
    ).rejects.toThrow(/400.*asks for no package/)
  }, 120_000)

  test('a member does not stop what others wait for, an administrator does', async () => {
    const { letGo } = index.hold('demo_shared')
    onTestFinished(letGo)
    const creating = plugins
      .api('POST', 'tools/create', body('shared', 'demo_shared', ['demo_shared']))
      .catch(String)
    const wanted = async () =>
      ((await plugins.api('GET', 'plugins/state')) as PluginState).environments.some(
        ({ requirements }) => requirements.includes('demo_shared'),
      )
    await expect.poll(wanted, { timeout: 10_000 }).toBe(true)
    const { id } = await install('demo_shared', member)
    await expect(stop(id, member)).rejects.toThrow(/409.*Other users wait/)
    expect(await stop(id)).toBe(true)
    expect(await creating).toMatch(/503.*was stopped/)
  }, 120_000)

  test('a package there is none of fails with what the installer said', async () => {
    const { id } = await install('demo_nowhere')
    expect((await until(id, 'failed')).detail).toMatch(/could not be installed.*demo.nowhere/)
  }, 120_000)
})

describe.skipIf(pluginPython === null)('What every plugin finds', () => {
  let index: PackageIndex
  beforeAll(async () => {
    index = await startPackageIndex()
  })
  afterAll(() => index.close())

  const start = async (environment: Record<string, string> = {}): Promise<PluginServer> => {
    const plugins = await startPlugins({
      ...index.environment,
      LOG_LEVEL: 'silent',
      ...environment,
    })
    onTestFinished(() => plugins.close())
    return plugins
  }
  const environmentsOf = async (plugins: PluginServer) =>
    ((await plugins.api('GET', 'plugins/state')) as PluginState).environments

  test.each(['tools/list', 'functions/list'])(
    'is installed when somebody who may write code looks at %s, before the first plugin',
    async (path) => {
      const plugins = await start()
      const member = await plugins.addUser('Cy')
      await plugins.api('GET', 'tools/list', undefined, member)
      expect(await environmentsOf(plugins)).toEqual([])
      await plugins.api('GET', path)
      await expect
        .poll(() => environmentsOf(plugins), { timeout: 60_000 })
        .toMatchObject([{ id: 'base', requirements: [], status: 'ready' }])
      await plugins.createTool(
        'first',
        'class Tools:\n    def add(self, a: int) -> int:\n        return a\n',
      )
    },
    120_000,
  )

  test('is not where nothing may be installed', async () => {
    const plugins = await start({ OFFLINE_MODE: 'true' })
    await plugins.api('GET', 'tools/list')
    await plugins.api('GET', 'functions/list')
    expect(await environmentsOf(plugins)).toEqual([])
  }, 60_000)
})
