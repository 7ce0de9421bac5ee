import type { BranchMessage, BranchPage } from '#contract/chats.ts'
import type { ChatApi } from './chat-api.ts'
import type { ChatDeps } from './chat-deps.ts'
import type { ChatModel } from './chat-store.ts'

export const model: ChatModel = { id: 'north', name: 'North', isLocal: true }

export const question = (id: string, fields: Partial<BranchMessage> = {}): BranchMessage => ({
  id,
  role: 'user',
  content: `question ${id}`,
  parentId: null,
  childrenIds: [],
  timestamp: 1,
  siblingIds: [id],
  ...fields,
})

export const answer = (id: string, fields: Partial<BranchMessage> = {}): BranchMessage =>
  question(id, {
    role: 'assistant',
    content: `answer ${id}`,
    done: true,
    model: 'north',
    modelName: 'North',
    ...fields,
  })

export const page = (messages: BranchMessage[], fields: Partial<BranchPage> = {}): BranchPage => ({
  chat_id: 'chat',
  title: 'Title',
  models: ['north'],
  currentId: messages.at(-1)?.id ?? null,
  pinned: false,
  params: {},
  messages,
  before: null,
  task_ids: [],
  ...fields,
})

const refuse = (name: string) => () => Promise.reject(new Error(`${name} was not expected`))

/** Accepts calls that need no result, and throws for those that a test must implement itself. */
const QUIET_API: ChatApi = {
  branch: refuse('branch'),
  whole: refuse('whole'),
  create: () => Promise.resolve({ id: 'chat', title: 'Title' }),
  update: () => Promise.resolve(),
  removeMessage: () => Promise.resolve(),
  tellMessage: () => Promise.resolve(),
  startAnswer: () => Promise.resolve({ over: 'socket', taskIds: ['task'] }),
  merge: refuse('merge'),
  stop: () => Promise.resolve(),
  stopTask: () => Promise.resolve(),
  rate: () => Promise.resolve('feedback'),
  unrate: () => Promise.resolve(),
}

/** Creates an API that only returns what a test provides, and records its calls. */
export function createFakeApi(
  parts: Partial<ChatApi> = {},
): ChatApi & { asked: [keyof ChatApi, ...unknown[]][] } {
  const asked: [keyof ChatApi, ...unknown[]][] = []
  const whole: ChatApi = { ...QUIET_API, ...parts }
  const recorded = Object.fromEntries(
    (Object.keys(whole) as (keyof ChatApi)[]).map((name) => [
      name,
      (...input: unknown[]) => {
        asked.push([name, ...input])
        return (whole[name] as (...input: unknown[]) => unknown)(...input)
      },
    ]),
  )
  return { ...(recorded as unknown as ChatApi), asked }
}

/** Creates dependencies with ids `id-1`, `id-2` … and a fixed clock. */
export function createFakeDeps(api: ChatApi, session: string | null = 'session'): ChatDeps {
  let last = 0
  return {
    api,
    sessionId: () => session,
    describeOwn: () => Promise.resolve([]),
    newId: () => `id-${++last}`,
    now: () => 1000,
    permitted: (params) => ({ ...params }),
    features: () => ({}),
  }
}
