import { describe, expect, it } from 'vitest'
import type { Fields } from './archive-chat.ts'
import { parseChatGptChat } from './parse-chatgpt.ts'
import { parseClaudeChat } from './parse-claude.ts'

interface ParsedNode {
  content: string
  role: string
  parentId: string | null
  childrenIds: string[]
  [field: string]: unknown
}
const messagesOf = (chat: { body: { history?: { messages?: object | null } | null } } | null) =>
  (chat?.body.history?.messages ?? {}) as Record<string, ParsedNode>

type Place = readonly [parent: string | null, children: readonly string[]]
const node = (
  [parent, children]: Place,
  role: string,
  content: Fields,
  metadata: Fields = {},
): Fields => ({
  parent,
  children,
  message: { author: { role }, create_time: 1_700_000_000.25, content, metadata },
})
const words = (...parts: unknown[]) => ({ content_type: 'text', parts })

describe('a conversation of a ChatGPT export', () => {
  const source = {
    conversation_id: 'c1',
    title: 'Trip',
    create_time: 1_700_000_000.5,
    update_time: 1_700_000_900.5,
    current_node: 'done',
    is_archived: true,
    mapping: {
      root: { parent: null, children: ['system'], message: null },
      system: node(['root', ['ask']], 'system', words(''), {
        is_visually_hidden_from_conversation: true,
      }),
      ask: node(
        ['system', ['think', 'other']],
        'user',
        words('Plot it', { content_type: 'image_asset_pointer' }),
        {
          attachments: [{ name: 'data.csv' }],
        },
      ),
      think: node(['ask', ['code']], 'assistant', {
        content_type: 'thoughts',
        thoughts: [{ summary: 'Hm', content: 'A plot' }],
      }),
      code: node(
        ['think', ['run']],
        'assistant',
        { content_type: 'code', language: 'python', text: 'plot("```")' },
        { model_slug: 'g-5' },
      ),
      run: node(['code', ['done']], 'tool', { content_type: 'execution_output', text: 'ok' }),
      done: node(['run', []], 'assistant', words('Here.\uE200cite\uE202turn0\uE201'), {
        model_slug: 'g-5',
      }),
      other: node(['ask', []], 'assistant', words('No.'), { model_slug: 'g-4' }),
    },
  }

  it('keeps branches, times and models, and joins thinking, tools and words of one turn', () => {
    const chat = parseChatGptChat(source)!
    expect(chat).toMatchObject({
      key: 'c1',
      title: 'Trip',
      created_at: 1_700_000_000,
      updated_at: 1_700_000_900,
      archived: true,
    })
    const messages = messagesOf(chat)
    expect(Object.keys(messages)).toEqual(['ask', 'think', 'other'])
    expect(messages['ask']).toMatchObject({
      role: 'user',
      parentId: null,
      childrenIds: ['think', 'other'],
      timestamp: 1_700_000_000,
    })
    expect(messages['ask']!.content).toBe('Plot it\n\n*[Picture]*\n\n*[File: data.csv]*')
    expect(messages['think']).toMatchObject({
      role: 'assistant',
      model: 'g-5',
      done: true,
      reasoning_content: 'A plot',
    })
    expect(messages['think']!.content).toBe(
      '````python\nplot("```")\n````\n\n```\nok\n```\n\nHere.',
    )
    expect(messages['other']).toMatchObject({ content: 'No.', model: 'g-4', parentId: 'ask' })
    expect(chat.body.history!.currentId).toBe('think')
    expect(chat.body.models).toEqual(['g-5', 'g-4'])
  })

  it('takes names such as __proto__ as data and survives trees that are none', () => {
    const mapping = JSON.parse(
      '{"__proto__":{"parent":"__proto__","children":["__proto__"]},"a":{"parent":"b"},"b":{"parent":"a"}}',
    ) as Fields
    expect(parseChatGptChat({ conversation_id: 'x', mapping })).toBeNull()
    const odd = JSON.parse(
      '{"__proto__":{"parent":null,"children":[],"message":{"author":{"role":"user"},"content":{"parts":["hi"]}}}}',
    ) as Fields
    expect(Object.keys(messagesOf(parseChatGptChat({ id: 'y', mapping: odd })))).toEqual([
      '__proto__',
    ])
    expect(Object.prototype).not.toHaveProperty('content')
  })
})

describe('a conversation of a Claude export', () => {
  const ROOT = '00000000-0000-4000-8000-000000000000'
  const said = (
    uuid: string,
    parent: string | undefined,
    sender: string,
    fields: Fields,
  ): Fields => ({
    uuid,
    sender,
    created_at: '2025-03-01T10:00:00Z',
    ...(parent !== undefined && { parent_message_uuid: parent }),
    ...fields,
  })

  it('keeps branches, times, thinking, tools and the text of attachments', () => {
    const chat = parseClaudeChat({
      uuid: 'k1',
      name: 'Letter',
      created_at: '2025-03-01T09:00:00Z',
      updated_at: '2025-03-02T09:00:00Z',
      chat_messages: [
        said('m1', ROOT, 'human', {
          text: 'Read this',
          content: [],
          attachments: [{ file_name: 'a.txt', extracted_content: 'lorem' }],
          files: [{ file_name: 'a.txt' }, { file_name: 'b.png' }],
        }),
        said('m2', 'm1', 'assistant', {
          content: [
            { type: 'thinking', thinking: 'Latin' },
            { type: 'text', text: 'It is' },
            { type: 'tool_use', name: 'find', input: { q: 1 } },
            { type: 'tool_result', content: [{ type: 'text', text: 'found' }] },
            { type: 'text', text: 'Latin.' },
          ],
        }),
        said('m3', 'm1', 'assistant', { text: 'No idea.' }),
      ],
    })!
    expect(chat).toMatchObject({
      key: 'k1',
      title: 'Letter',
      created_at: 1_740_819_600,
      updated_at: 1_740_906_000,
    })
    const messages = messagesOf(chat)
    expect(messages['m1']!.content).toBe(
      'Read this\n\n**a.txt**\n\n```\nlorem\n```\n\n*[File: b.png]*',
    )
    expect(messages['m1']!.childrenIds).toEqual(['m2', 'm3'])
    expect(messages['m2']).toMatchObject({
      role: 'assistant',
      reasoning_content: 'Latin',
      timestamp: 1_740_823_200,
    })
    expect(messages['m2']!.content).toBe(
      'It is\n\n```json\n{\n  "q": 1\n}\n```\n\n```\nfound\n```\n\nLatin.',
    )
    expect(chat.body.history!.currentId).toBe('m3')
  })

  it('lines messages up when the export does not tell parents', () => {
    const messages = messagesOf(
      parseClaudeChat({
        uuid: 'k',
        chat_messages: [
          said('a', undefined, 'human', { text: '1' }),
          said('b', undefined, 'assistant', { text: '2' }),
        ],
      }),
    )
    expect(messages['b']!.parentId).toBe('a')
  })
})
