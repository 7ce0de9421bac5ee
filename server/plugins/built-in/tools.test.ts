import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestOrigin } from '../../testing/create-test-origin.ts'
import { startLibrary } from '../../testing/start-library.ts'
import { callTool, say, startPlugins } from '../../testing/start-plugins.ts'

describe('Tools the gateway brings along', () => {
  test('are listed, take part without Python, and read what the person asking may read', async () => {
    const plugins = await startPlugins({ PLUGIN_PYTHON: '/nowhere/python3' })
    onTestFinished(() => plugins.close())
    const listed = (await plugins.api('GET', 'tools/')) as { id: string }[]
    const ids = [
      'builtin:time',
      'builtin:knowledge',
      'builtin:files',
      'builtin:chats',
      'builtin:memory',
      'builtin:web',
    ]
    expect(listed.map(({ id }) => id)).toEqual(ids)
    const run = async (name: string, args: Record<string, unknown>): Promise<string> => {
      plugins.rounds([callTool(name, args)], [say('end')])
      await plugins.complete({ tool_ids: ids })
      return plugins.toolTexts()[0]!
    }
    expect(JSON.parse(await run('get_current_time', { timezone: 'Asia/Tokyo' }))).toMatchObject({
      timezone: 'Asia/Tokyo',
      local: expect.stringContaining('GMT+9'),
    })
    expect(JSON.parse(await run('add_memory', { content: 'Likes tea' }))).toHaveProperty('id')
    expect(await run('search_memories', { query: 'tea' })).toContain('Likes tea')
    expect(await run('fetch_url', { url: 'http://127.0.0.1:1/' })).toMatch(/not|refus/i)
    expect(await run('view_file', {})).toBe('The argument "file_id" is missing.')
    const chat = await plugins.createChat('About penguins')
    expect(await run('search_chats', { query: 'penguins' })).toContain(chat.chat_id)
    expect(await run('view_chat', { chat_id: chat.chat_id })).toContain('user: About penguins')
    await plugins.server.context.settings.update({ ENABLE_MEMORIES: false })
    expect(await run('add_memory', { content: 'x' })).toContain('There is no tool "add_memory"')
  })

  test('check again as the calling person, whatever id the model names', async () => {
    const library = await startLibrary()
    const knowledge = await library.createKnowledge('owner')
    const file = await library.upload('owner', 'pump.md', 'The pump is cleaned with vinegar.')
    await library.call('owner', `knowledge/${knowledge}/file/add`, { body: { file_id: file } })
    const { plugins, models } = library.server.context
    const resolved = await models.resolve({ ...createTestOrigin().caller, role: 'admin' }, 'guide')
    const run = async (userId: string, name: string, args: Record<string, unknown>) => {
      const caller = {
        userId,
        role: 'user',
        name: 'Somebody',
        email: '',
        credential: 'bearer',
        keyId: null,
      } as const
      const belt = (await plugins.open(
        { ...createTestOrigin({ caller }), resolved },
        { tool_ids: ['builtin:knowledge', 'builtin:files'] },
      ))!
      return belt
        .call(
          { id: 'call_1', name, arguments: args },
          { signal: AbortSignal.timeout(10_000), messages: [] },
        )
        .then(({ text }) => text)
    }
    expect(await run(library.ids.owner, 'list_knowledge', {})).toContain(knowledge)
    expect(
      await run(library.ids.owner, 'search_knowledge', {
        knowledge_id: knowledge,
        query: 'How is the pump cleaned?',
      }),
    ).toContain('vinegar')
    expect(await run(library.ids.owner, 'view_file', { file_id: file })).toContain('vinegar')
    expect(await run(library.ids.other, 'list_knowledge', {})).toBe('[]')
    await expect(
      run(library.ids.other, 'search_knowledge', { knowledge_id: knowledge, query: 'pump' }),
    ).rejects.toThrow('no such collection')
    await expect(run(library.ids.other, 'view_file', { file_id: file })).rejects.toThrow(
      'no such file',
    )
  })
})
