import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatBodyInput } from '#contract/chats.ts'
import { createTestChats, type TestChats } from '../testing/create-test-chats.ts'

let test: TestChats
let owner: string
beforeEach(async () => {
  test = await createTestChats()
  owner = await test.addUser('owner')
})

const create = (body: ChatBodyInput) => test.chats.create(owner, body)
const update = (id: string, body: ChatBodyInput) => test.chats.update(owner, id, body)
const read = async (id: string) => (await test.chats.get(owner, id)).chat

describe('hostile names and shapes', () => {
  it('row 101: __proto__, constructor and toString are plain data as ids and as keys', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
    const text = `{${names.map((name) => `"${name}":{"role":"user","content":"${name}","polluted":1,"${name}":{"polluted":2}}`).join(',')}}`
    const { id } = await create({
      title: 'x',
      history: { messages: JSON.parse(text) as Record<string, Record<string, unknown>> },
    })
    await update(id, {
      history: {
        messages: JSON.parse('{"__proto__":{"content":"again"}}') as Record<
          string,
          Record<string, unknown>
        >,
      },
    })
    const stored = new Map(Object.entries((await read(id)).history.messages))
    expect([...stored.keys()].sort()).toEqual([...names].sort())
    expect(stored.get('__proto__')).toMatchObject({ content: 'again', polluted: 1 })
    expect(Object.entries(stored.get('constructor')!)).toContainEqual([
      'constructor',
      { polluted: 2 },
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('row 102: refuses nesting beyond 100 levels and numbers beyond all bounds', async () => {
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown[]
    await expect(() => create({ title: 'deep', files: deep })).rejects.toThrow('levels deep')
    await expect(() =>
      create({ title: 'wide', extra: JSON.parse('1e400') as number }),
    ).rejects.toThrow('too large')
  })

  it('row 102: lone surrogates survive as replacement characters and stay one message', async () => {
    const { id } = await create({
      history: {
        messages: {
          '\ud800': { role: 'user', content: 'a \udfff' },
          '\ud801': { role: 'user', content: 'b' },
        },
      },
    })
    expect(Object.keys((await read(id)).history.messages)).toEqual(['\ufffd'])
    await update(id, { history: { messages: { '\ud800': { content: 'c' } } } })
    expect((await read(id)).history.messages['\ufffd']!.content).toBe('c')
  })
})
