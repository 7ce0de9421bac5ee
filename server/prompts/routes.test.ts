import { describe, expect, it, vi } from 'vitest'
import { promptSchema, promptVersionSchema, type PromptVersion } from '#contract/prompts.ts'
import { servePeople } from '../testing/serve-people.ts'
import { createPromptRoutes, Prompts } from './index.ts'

const ROOT = '/api/v1/prompts'
const serve = () =>
  servePeople(({ storage, access, users }) =>
    createPromptRoutes(new Prompts({ storage, access, users })),
  )
type Served = Awaited<ReturnType<typeof serve>>

const GREETING = {
  command: '/greet',
  name: 'Greeting',
  content: 'Say hello to {{name | type:text}} in {{language}}.',
  tags: ['polite'],
}
async function create({ owner }: Served, input: object = {}): Promise<string> {
  const reply = await owner(`${ROOT}/create`, { body: { ...GREETING, ...input } })
  expect(reply).toMatchObject({ status: 200 })
  return reply.body.id
}
const shareWith = (id: string, permission: 'read' | 'write') => ({
  access_grants: [{ principal_type: 'user', principal_id: id, permission }],
})
const commands = (reply: {
  body: { items?: { command: string }[] } & { command: string }[]
}): string[] => (reply.body.items ?? reply.body).map(({ command }) => command)

describe('prompts', () => {
  it('are stored as they came and answered under both names', async () => {
    const served = await serve()
    const id = await create(served)
    const { body } = await served.owner(`${ROOT}/id/${id}`)
    expect(promptSchema.parse(body)).toMatchObject({
      ...GREETING,
      title: 'Greeting',
      is_active: true,
      write_access: true,
      user: { id: served.ids.owner },
      timestamp: body.updated_at,
      access_grants: [],
      access_control: {},
    })
  })

  it('need a name under one of its two names', async () => {
    const { owner } = await serve()
    expect(
      (await owner(`${ROOT}/create`, { body: { command: 'old', title: 'Old form', content: '' } }))
        .body.name,
    ).toBe('Old form')
    expect((await owner(`${ROOT}/create`, { body: { command: 'none', content: '' } })).status).toBe(
      422,
    )
  })

  it('have commands of their own, with or without a slash: 400 when one is taken', async () => {
    const served = await serve()
    const id = await create(served)
    for (const command of ['greet', '/greet']) {
      expect(
        await served.friend(`${ROOT}/create`, { body: { ...GREETING, command } }),
      ).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('taken') },
      })
    }
    const other = await create(served, { command: 'bye' })
    expect(
      (await served.owner(`${ROOT}/id/${other}/update`, { body: { command: '/greet' } })).status,
    ).toBe(400)
    expect(
      (await served.owner(`${ROOT}/id/${other}/update/meta`, { body: { command: 'greet' } }))
        .status,
    ).toBe(400)
    expect(
      (await served.owner(`${ROOT}/id/${id}/update`, { body: { command: 'greet' } })).body.command,
    ).toBe('greet')
    for (const command of ['', '/', 'two words', '../up']) {
      expect(
        (await served.owner(`${ROOT}/create`, { body: { ...GREETING, command } })).status,
      ).toBe(422)
    }
  })

  it('are read, changed and deleted by command, for older clients', async () => {
    const served = await serve()
    await create(served)
    for (const command of ['greet', '%2Fgreet'])
      expect((await served.owner(`${ROOT}/command/${command}`)).body.name).toBe('Greeting')
    const changed = await served.owner(`${ROOT}/command/greet/update`, {
      body: { command: '/greet', title: 'Hello', content: 'Hi' },
    })
    expect(changed.body).toMatchObject({
      name: 'Hello',
      title: 'Hello',
      content: 'Hi',
      tags: ['polite'],
    })
    expect((await served.friend(`${ROOT}/command/greet`)).status).toBe(404)
    expect((await served.friend(`${ROOT}/command/greet/delete`, { method: 'DELETE' })).status).toBe(
      404,
    )
    expect((await served.owner(`${ROOT}/command/greet/delete`, { method: 'DELETE' })).body).toBe(
      true,
    )
    expect((await served.owner(`${ROOT}/command/greet`)).status).toBe(404)
  })

  it('of others are missing until they are shared, and changed only with the right to write', async () => {
    const served = await serve()
    const id = await create(served)
    expect((await served.friend(`${ROOT}/id/${id}`)).status).toBe(404)
    expect((await served.friend(`${ROOT}/id/${id}/toggle`, { body: {} })).status).toBe(404)
    await served.owner(`${ROOT}/id/${id}/access/update`, {
      body: shareWith(served.ids.friend, 'read'),
    })
    expect((await served.friend(`${ROOT}/id/${id}`)).body).toMatchObject({ write_access: false })
    for (const [path, body] of [
      ['update', { content: 'x' }],
      ['update/meta', { name: 'x' }],
      ['update/version', { version_id: 'x' }],
      ['toggle', {}],
      ['access/update', {}],
    ] as const) {
      expect((await served.friend(`${ROOT}/id/${id}/${path}`, { body })).status).toBe(403)
    }
    expect((await served.friend(`${ROOT}/id/${id}/delete`, { method: 'DELETE' })).status).toBe(403)
    await served.owner(`${ROOT}/id/${id}/access/update`, {
      body: shareWith(served.ids.friend, 'write'),
    })
    expect((await served.friend(`${ROOT}/id/${id}/toggle`, { body: {} })).body).toMatchObject({
      is_active: false,
      write_access: true,
    })
    expect(commands(await served.friend(`${ROOT}/`))).toEqual(['/greet'])
    expect((await served.admin(`${ROOT}/id/${id}/delete`, { method: 'DELETE' })).body).toBe(true)
    expect(await served.access.grantsOf('prompt', id)).toEqual([])
  })

  it('are listed by command, searched, filtered by tag and owner, and sorted', async () => {
    const served = await serve()
    await create(served)
    await create(served, {
      command: 'bye',
      name: 'Farewell',
      content: '100% done',
      tags: ['polite', 'short'],
    })
    await served.friend(`${ROOT}/create`, {
      body: { ...GREETING, command: 'mine', ...shareWith(served.ids.owner, 'read') },
    })
    expect(commands(await served.owner(`${ROOT}/`))).toEqual(['bye', '/greet', 'mine'])
    expect((await served.owner(`${ROOT}/tags`)).body).toEqual(['polite', 'short'])
    const list = async (query: string) => commands(await served.owner(`${ROOT}/list?${query}`))
    expect(await list('query=FAREW')).toEqual(['bye'])
    expect(await list('query=100%25')).toEqual(['bye'])
    expect(await list('query=0_')).toEqual([])
    expect(await list('tag=short')).toEqual(['bye'])
    expect(await list('view_option=shared')).toEqual(['mine'])
    expect(await list('view_option=created&order_by=command&direction=desc')).toEqual([
      '/greet',
      'bye',
    ])
    expect((await served.owner(`${ROOT}/list?page=2`)).body).toEqual({ items: [], total: 3 })
  })
})

describe('versions of a prompt', () => {
  const history = async ({ owner }: Served, id: string): Promise<PromptVersion[]> =>
    (await owner(`${ROOT}/id/${id}/history`)).body.map((version: unknown) =>
      promptVersionSchema.parse(version),
    )

  it('are kept with each change, newest first, each with the one it was made from', async () => {
    const served = await serve()
    const id = await create(served, { commit_message: 'first' })
    const { body } = await served.owner(`${ROOT}/id/${id}/update`, {
      body: { content: 'Hi {{name}}', commit_message: 'shorter' },
    })
    const [second, first] = await history(served, id)
    expect(body).toMatchObject({ content: 'Hi {{name}}', version_id: second!.id })
    expect(second).toMatchObject({
      commit_message: 'shorter',
      parent_id: first!.id,
      snapshot: { content: 'Hi {{name}}' },
    })
    expect(first).toMatchObject({
      commit_message: 'first',
      parent_id: null,
      snapshot: { content: GREETING.content },
    })
    await served.owner(`${ROOT}/id/${id}/update`, { body: { content: 'Hi {{name}}' } })
    expect(await history(served, id)).toHaveLength(2)
  })

  it('can be drafts, be put to use later, and be compared', async () => {
    const served = await serve()
    const id = await create(served)
    const draft = await served.owner(`${ROOT}/id/${id}/update`, {
      body: { content: 'Draft', is_production: false },
    })
    expect(draft.body.content).toBe(GREETING.content)
    const [second, first] = await history(served, id)
    const used = await served.owner(`${ROOT}/id/${id}/update/version`, {
      body: { version_id: second!.id },
    })
    expect(used.body).toMatchObject({ content: 'Draft', version_id: second!.id })
    const { body: diff } = await served.owner(
      `${ROOT}/id/${id}/history/diff?from_id=${first!.id}&to_id=${second!.id}`,
    )
    expect(diff.content_diff).toEqual([
      { kind: 'removed', text: GREETING.content },
      { kind: 'added', text: 'Draft' },
    ])
    expect(
      (await served.owner(`${ROOT}/id/${id}/history/${first!.id}`)).body.snapshot.content,
    ).toBe(GREETING.content)
  })

  it('can be deleted unless in use, and belong to their prompt only', async () => {
    const served = await serve()
    const id = await create(served)
    await served.owner(`${ROOT}/id/${id}/update`, { body: { content: 'Two' } })
    await served.owner(`${ROOT}/id/${id}/update`, { body: { content: 'Three' } })
    const [third, second, first] = await history(served, id)
    const remove = (version: string) =>
      served.owner(`${ROOT}/id/${id}/history/${version}`, { method: 'DELETE' })
    expect((await remove(third!.id)).status).toBe(400)
    expect((await remove(second!.id)).body).toBe(true)
    expect((await history(served, id)).map(({ parent_id }) => parent_id)).toEqual([first!.id, null])
    const other = await create(served, { command: 'other' })
    expect((await served.owner(`${ROOT}/id/${other}/history/${first!.id}`)).status).toBe(404)
    expect(
      (
        await served.owner(`${ROOT}/id/${other}/update/version`, {
          body: { version_id: first!.id },
        })
      ).status,
    ).toBe(404)
  })

  it('are read a few at a time where they are long', async () => {
    const served = await serve()
    const id = await create(served)
    for (let count = 0; count < 8; count += 1) {
      const content = `${count}`.repeat(200_000)
      await served.owner(`${ROOT}/id/${id}/update`, { body: { content } })
    }
    const reads = vi.spyOn(served.storage, 'all')
    const { body } = await served.owner(`${ROOT}/id/${id}/history`)
    expect(body.map(({ snapshot }: PromptVersion) => snapshot.content[0])).toEqual(
      '76543210S'.split(''),
    )
    const rows = await Promise.all(reads.mock.results.map(({ value }) => value))
    const longest = Math.max(...rows.map((each) => JSON.stringify(each).length))
    expect(longest).toBeLessThan(500_000)
  })

  it('are bounded in number, the one in use always among them', async () => {
    const served = await serve()
    const id = await create(served)
    for (let count = 0; count < 205; count += 1) {
      await served.owner(`${ROOT}/id/${id}/update`, {
        body: { content: `Draft ${count}`, is_production: false },
      })
    }
    expect(await served.storage.prepare('select count(*) from prompt_version').pluck().get()).toBe(
      201,
    )
    const { body } = await served.owner(`${ROOT}/id/${id}`)
    expect((await served.owner(`${ROOT}/id/${id}/history/${body.version_id}`)).status).toBe(200)
  })
})
