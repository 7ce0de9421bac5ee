// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import type { File as StoredFile } from '#contract/files.ts'
import { fakeGateway } from '../../../testing/fake-gateway.ts'
import { toFileEntry } from '../../../ui/attachments/attached-entry.ts'
import { Attachments, failureOf, isBeingRead } from '../../../ui/attachments/attachments-store.ts'
import { toPageAddress } from '../../../lib/page-address.ts'

const stored = (
  changes: { content_type?: string; status?: 'pending' | 'completed' | 'failed' } = {},
): StoredFile => ({
  id: 'f1',
  user_id: 'u',
  hash: 'h',
  filename: 'minutes.pdf',
  data: { status: changes.status ?? 'pending' },
  meta: {
    name: 'minutes.pdf',
    content_type: changes.content_type ?? 'application/pdf',
    size: 2048,
    data: {},
    collection_name: null,
  },
  created_at: 1,
  updated_at: 1,
})

const statusFrame = (status: 'pending' | 'completed' | 'failed', error: string | null = null) =>
  ({
    type: 'events',
    chat_id: null,
    message_id: null,
    data: { type: 'file:status', data: { id: 'f1', status, error, progress: null } },
  }) as const

beforeEach(() => localStorage.clear())

describe('what is attached to a message', () => {
  it('outlives a reload and is handed out once', () => {
    const attachments = new Attachments('c1')
    attachments.add(toFileEntry(stored()))
    attachments.setWhole('f1', true)
    const again = new Attachments('c1')
    expect(again.take()).toEqual([
      {
        type: 'file',
        id: 'f1',
        name: 'minutes.pdf',
        url: '/api/v1/files/f1/content',
        size: 2048,
        content_type: 'application/pdf',
        status: 'processed',
        context: 'full',
      },
    ])
    expect(again.take()).toEqual([])
    expect(new Attachments('c1').take()).toEqual([])
    expect(new Attachments('c2').take()).toEqual([])
  })

  it('a picture is shown to the model, everything else is read', () => {
    expect(toFileEntry(stored({ content_type: 'image/png' })).type).toBe('image')
    expect(toFileEntry(stored({ content_type: 'image/svg+xml' })).type).toBe('file')
  })

  it('follows how far a file is', () => {
    const attachments = new Attachments(null)
    const entry = toFileEntry(stored())
    attachments.add(entry)
    attachments.handleFrame(statusFrame('pending'))
    expect(isBeingRead(attachments.store.getState(), entry)).toBe(true)
    attachments.handleFrame(statusFrame('failed', 'It is encrypted.'))
    expect(failureOf(attachments.store.getState(), entry)).toBe('It is encrypted.')
  })

  it('has a file that could not be read read once more', async () => {
    const { calls } = fakeGateway({ 'POST /api/v1/files/f1/process': stored() })
    const attachments = new Attachments(null)
    const entry = toFileEntry(stored())
    attachments.add(entry)
    attachments.handleFrame(statusFrame('failed', 'It is encrypted.'))
    const reading = attachments.readAgain('f1')
    expect(isBeingRead(attachments.store.getState(), entry)).toBe(true)
    attachments.handleFrame(statusFrame('completed'))
    await reading
    expect(calls.map(({ path }) => path)).toEqual(['/api/v1/files/f1/process'])
    expect(failureOf(attachments.store.getState(), entry)).toBeNull()
    expect(isBeingRead(attachments.store.getState(), entry)).toBe(false)
  })

  it('says why a file could not be read once more', async () => {
    fakeGateway({})
    const attachments = new Attachments(null)
    const entry = toFileEntry(stored())
    attachments.add(entry)
    attachments.handleFrame(statusFrame('failed', 'It is encrypted.'))
    await attachments.readAgain('f1')
    expect(failureOf(attachments.store.getState(), entry)).not.toBe('It is encrypted.')
    expect(failureOf(attachments.store.getState(), entry)).toBeTruthy()
  })

  it('asks again for files that were being read when the line was lost', async () => {
    fakeGateway({ 'GET /api/v1/files/f1': stored({ status: 'completed' }) })
    const attachments = new Attachments(null)
    const entry = toFileEntry(stored())
    attachments.add(entry)
    attachments.handleFrame(statusFrame('pending'))
    await attachments.refresh()
    expect(isBeingRead(attachments.store.getState(), entry)).toBe(false)
  })

  it('what stands in storage of another version is left out', () => {
    localStorage.setItem(
      'attachments:c1',
      '[{"type":"file"},5,null,{"type":"note","id":"n","name":"N"}]',
    )
    expect(new Attachments('c1').take()).toHaveLength(1)
    localStorage.setItem('attachments:c1', '{')
    expect(new Attachments('c1').take()).toEqual([])
  })
})

it.each([
  ['example.com/a', 'https://example.com/a'],
  [' http://example.com ', 'http://example.com/'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['just words', null],
  ['', null],
])('the address %j is read as %j', (text, address) => {
  expect(toPageAddress(text)).toBe(address)
})
