import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  cancelUpload,
  choose,
  choosePrompts,
  createImportStore,
  readArchive,
  runImport,
  startOver,
  stopImport,
  undoImport,
  type ImportStore,
} from './import-store.ts'

const chat = (key: string, state: 'new' | 'changed' | 'known') => ({
  key,
  title: key,
  created_at: 1,
  message_count: 2,
  branch_count: 1,
  state,
})

const ARCHIVE: Import = {
  import_id: 'i1',
  source: 'chatgpt',
  chats: [chat('a', 'new'), chat('b', 'changed'), chat('c', 'known')],
  prompts: [],
  folder_count: 0,
  file_count: 0,
  file_bytes: 0,
  problems: [],
  state: 'ready',
  progress: { done: 0, total: 0 },
  result: null,
}

const NONE = { created: 0, updated: 0, unchanged: 0, failed: 0 }
const RESULT = { ...NONE, created_ids: [] as string[], prompts: NONE }

/** Replaces `XMLHttpRequest` with progress; `finish` is called with the status and the body. */
class FakeRequest {
  static last: FakeRequest
  readonly headers: Record<string, string> = {}
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = {
    onprogress: null,
  }
  status = 0
  responseText = ''
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  onabort: (() => void) | null = null
  onloadend: (() => void) | null = null

  constructor() {
    FakeRequest.last = this
  }

  open(): void {}
  send(): void {}
  getResponseHeader(): null {
    return null
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }

  abort(): void {
    this.onabort?.()
  }

  finish(status: number, body: unknown): void {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.onload?.()
  }
}

let store: ImportStore
beforeEach(() => {
  store = createImportStore()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => vi.unstubAllGlobals())

const file = (name: string): File => new File(['{}'], name)

async function preview(archive = ARCHIVE): Promise<void> {
  const read = readArchive(store, file('export.zip'))
  FakeRequest.last.finish(200, archive)
  await read
}

test('an upload tells how far it is, and what is new or changed is chosen at first', async () => {
  const read = readArchive(store, file('conversations.JSON'))
  expect(FakeRequest.last.headers).toMatchObject({
    'Content-Type': 'application/json',
    'X-Requested-With': 'chat-gateway',
  })
  FakeRequest.last.upload.onprogress?.({ loaded: 1, total: 4 })
  expect(store.getState()).toEqual({ kind: 'uploading', name: 'conversations.JSON', part: 0.25 })
  FakeRequest.last.finish(200, ARCHIVE)
  await read
  expect(store.getState()).toMatchObject({ kind: 'preview', selection: new Set(['a', 'b']) })
})

test('an upload that is given up leads back without a problem, one that is refused with the reason', async () => {
  const given = readArchive(store, file('export.zip'))
  expect(FakeRequest.last.headers['Content-Type']).toBe('application/zip')
  cancelUpload(store)
  await given
  expect(store.getState()).toEqual({ kind: 'choose', problem: null })
  const refused = readArchive(store, file('export.zip'))
  FakeRequest.last.finish(400, { detail: 'This is no export.' })
  await refused
  expect(store.getState()).toEqual({ kind: 'choose', problem: 'This is no export.' })
})

test('a gateway that cannot be reached is told', async () => {
  const read = readArchive(store, file('export.zip'))
  FakeRequest.last.onerror?.()
  await read
  expect(store.getState()).toMatchObject({
    kind: 'choose',
    problem: expect.stringContaining('cannot be reached') as string,
  })
})

test('only what was chosen is imported', async () => {
  await preview()
  choose(store, ['b'], false)
  const result = { ...RESULT, created: 1, created_ids: ['c1'] }
  const gateway = fakeGateway({ 'POST /api/v1/chats/imports/i1/run': result })
  await runImport(store, true)
  expect(gateway.calls[0]?.body).toEqual({ keys: ['a'] })
  expect(store.getState()).toMatchObject({ kind: 'done', result })
})

test('everything is asked for as a whole, and a failure leads back to the choice', async () => {
  await preview()
  choose(store, ['c'], true)
  const gateway = fakeGateway({
    'POST /api/v1/chats/imports/i1/run': refusal(507, 'The disk is full.'),
  })
  await runImport(store, true)
  expect(gateway.calls[0]?.body).toEqual({ all: true })
  expect(store.getState()).toMatchObject({
    kind: 'preview',
    problem: 'The disk is full.',
    selection: new Set(['a', 'b', 'c']),
  })
})

const prompt = (state: 'new' | 'known') => ({ key: 'p', name: 'Sum', command: 'sum', state })

test('new prompts are imported unless deselected, known ones only if selected', async () => {
  const gateway = fakeGateway({ 'POST /api/v1/chats/imports/i1/run': RESULT })
  await preview({ ...ARCHIVE, prompts: [prompt('new')] })
  await runImport(store, true)
  await preview({ ...ARCHIVE, prompts: [prompt('new')] })
  choosePrompts(store, false)
  await runImport(store, true)
  await preview({ ...ARCHIVE, prompts: [prompt('known')] })
  await runImport(store, true)
  expect(gateway.calls.map(({ body }) => body)).toEqual([
    { keys: ['a', 'b'], prompts: true },
    { keys: ['a', 'b'] },
    { keys: ['a', 'b'] },
  ])
})

test('a user who may not add prompts imports the chats alone', async () => {
  const gateway = fakeGateway({ 'POST /api/v1/chats/imports/i1/run': RESULT })
  await preview({ ...ARCHIVE, prompts: [prompt('new')] })
  await runImport(store, false)
  expect(gateway.calls[0]?.body).toEqual({ keys: ['a', 'b'] })
})

test('starting over lets the gateway forget the archive', async () => {
  await preview()
  const gateway = fakeGateway({ 'DELETE /api/v1/chats/imports/i1': true })
  await startOver(store)
  expect(store.getState()).toEqual({ kind: 'choose', problem: null })
  expect(gateway.calls.map(({ method }) => method)).toEqual(['DELETE'])
})

test('a running import is stopped, and tells what it has done by then', async () => {
  await preview()
  const result = { ...RESULT, created: 1, created_ids: ['c1'] }
  const { promise, resolve } = Promise.withResolvers<typeof result>()
  const gateway = fakeGateway({
    'POST /api/v1/chats/imports/i1/run': () => promise,
    'DELETE /api/v1/chats/imports/i1': () => {
      resolve(result)
      return true
    },
  })
  const running = runImport(store, true)
  await stopImport(store)
  await running
  expect(store.getState()).toMatchObject({ kind: 'done', result, wasStopped: true })
  gateway.calls.length = 0
  await startOver(store)
  expect(gateway.calls).toEqual([])
})

test('an import is taken back in one call', async () => {
  const gateway = fakeGateway({
    'POST /api/v1/chats/imports/i1/undo': {
      moved: 1,
      changed: 1,
      folders: 0,
      prompts: 0,
      prompts_changed: 0,
    },
  })
  expect(await undoImport('i1')).toEqual({
    moved: 1,
    changed: 1,
    folders: 0,
    prompts: 0,
    prompts_changed: 0,
  })
  expect(gateway.calls).toHaveLength(1)
})
