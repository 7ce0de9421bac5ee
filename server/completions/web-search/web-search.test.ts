import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Source } from '#contract/completions.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import { startSite } from '../../testing/start-library.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

const set = (changes: Record<string, unknown>) =>
  conversation.server.context.settings.update(changes as Record<string, never>)

const QUESTION = 'How is the pump of the coffee machine cleaned, please?'
const PAGE = (subject: string) =>
  `<!doctype html><title>${subject}</title><article><h1>${subject}</h1><p>${`The ${subject} is cleaned with warm water twice a year. `.repeat(12)}</p></article>`

/** Starts a SearXNG-like engine that finds two pages of a site and one that cannot be read. */
async function startWeb() {
  const site = await startSite((request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(PAGE(request.url === '/pump' ? 'pump' : 'kettle'))
  })
  const engine = await startSite((_, response) => {
    const results = [
      { url: `${site.url}/pump`, title: 'Pumps', content: 'Of pumps' },
      { url: `${site.url}/kettle`, title: 'Kettles', content: 'Of kettles' },
      { url: 'http://127.0.0.1:9/inside', title: 'Inside', content: 'x' },
    ]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
  })
  await set({
    WEB_FETCH_ALLOWED_HOSTS: [site.host],
    WEB_SEARCH_ENGINE: 'searxng',
    SEARXNG_QUERY_URL: `${engine.url}/search`,
  })
  return { site, engine }
}

const ask = (more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: QUESTION }],
  features: { web_search: true },
  ...more,
})

async function answered(more?: Record<string, unknown>, token?: string) {
  const chat = await conversation.createChat(QUESTION, { token })
  const response = await conversation.complete(
    ask({ chat_id: chat.chat_id, id: chat.id, ...more }),
    { token },
  )
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return conversation.readMessage(chat, token)
}

const prompt = () => {
  const { messages } = conversation.upstream.requests.at(-1)!.json as {
    messages: { content: string }[]
  }
  return messages.at(-1)!.content
}

beforeEach(async () => {
  conversation.upstream.requests.length = 0
  await set({
    ENABLE_WEB_SEARCH: true,
    ENABLE_SEARCH_QUERY_GENERATION: false,
    WEB_SEARCH_ENGINE: null,
    SEARXNG_QUERY_URL: null,
    BYPASS_WEB_SEARCH_WEB_LOADER: null,
    BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL: null,
    OFFLINE_MODE: null,
  })
})

describe('An answer with web search', () => {
  test('reads what the engine finds, cites the pages and tells what it does', async () => {
    const { engine, site } = await startWeb()
    const message = await answered()
    expect(engine.requests).toEqual([
      `GET /search?q=${encodeURIComponent(QUESTION).replaceAll('%20', '+')}&format=json`,
    ])
    expect(site.requests.toSorted()).toEqual(['GET /kettle', 'GET /pump'])
    const [first] = message.sources as Source[]
    expect(first).toMatchObject({
      source: { id: `${site.url}/pump`, name: 'pump', type: 'url', url: `${site.url}/pump` },
    })
    expect(first!.document[0]).toContain('warm water')
    expect(prompt()).toContain('<source id="1" name="pump">')
    expect(message.statusHistory).toMatchObject([
      { action: 'web_search', done: false },
      { action: 'web_search_queries_generated', queries: [QUESTION], done: true },
      { action: 'web_search', queries: [QUESTION], done: false },
      { action: 'web_search', done: false, description: 'Reading 3 pages…' },
      {
        action: 'web_search',
        done: true,
        count: 2,
        urls: [`${site.url}/pump`, `${site.url}/kettle`],
        items: [{ link: `${site.url}/pump`, title: 'pump' }, {}],
        description: 'Read 2 pages of the web.',
      },
    ])
  })

  test('leaves nothing of the pages in the index', async () => {
    await startWeb()
    const { retrieval } = conversation.server.context
    const before = (await retrieval.engineState()).documents.total
    await answered()
    expect((await retrieval.engineState()).documents.total).toBe(before)
  })

  test('is there for scripts without a chat too, the sources in the reply', async () => {
    const { site } = await startWeb()
    const reply = (await (await conversation.complete(ask())).json()) as { sources: Source[] }
    expect(reply.sources[0]!.source.id).toBe(`${site.url}/pump`)
  })

  test('hands on whole pages, or only what the engine said, as an administrator set', async () => {
    const { site } = await startWeb()
    await set({ BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL: true })
    const whole = await answered()
    expect((whole.sources as Source[]).map(({ source }) => source.name)).toEqual(['pump', 'kettle'])
    site.requests.length = 0
    await set({ BYPASS_WEB_SEARCH_WEB_LOADER: true })
    const snippets = await answered()
    expect((snippets.sources as Source[]).map(({ document }) => document)).toEqual([
      ['Of pumps'],
      ['Of kettles'],
      ['x'],
    ])
    expect(site.requests).toEqual([])
  })

  test('searches for what the task model words, and for nothing when that says so', async () => {
    const { engine } = await startWeb()
    await set({
      ENABLE_SEARCH_QUERY_GENERATION: true,
      TASK_MODEL: 'echo',
      TASK_MODEL_EXTERNAL: 'echo',
    })
    await set({
      QUERY_GENERATION_PROMPT_TEMPLATE: '{"queries":["clean pump","{{TYPE}}"]} {{MESSAGES:END:0}}',
    })
    await answered()
    expect(engine.requests.toSorted()).toEqual([
      'GET /search?q=clean+pump&format=json',
      'GET /search?q=web_search&format=json',
    ])
    await set({ QUERY_GENERATION_PROMPT_TEMPLATE: '{"queries":[]} {{MESSAGES:END:0}}' })
    const quiet = await answered()
    await set({
      QUERY_GENERATION_PROMPT_TEMPLATE: null,
      TASK_MODEL: null,
      TASK_MODEL_EXTERNAL: null,
    })
    expect(engine.requests).toHaveLength(2)
    expect(quiet.statusHistory!.at(-1)).toMatchObject({
      description: 'Nothing had to be looked up on the web.',
      done: true,
    })
  })

  test('goes on without the web when the engine fails, and says so', async () => {
    const broken = await startSite((_, response) => response.writeHead(500).end())
    const failing: [Record<string, unknown>, string][] = [
      [{}, 'No search engine is set up'],
      [
        { WEB_SEARCH_ENGINE: 'searxng', SEARXNG_QUERY_URL: broken.url },
        'answered with the error 500',
      ],
      [
        { WEB_SEARCH_ENGINE: 'searxng', SEARXNG_QUERY_URL: broken.url, OFFLINE_MODE: true },
        'offline',
      ],
    ]
    for (const [changes, words] of failing) {
      await set(changes)
      const message = await answered()
      expect(message.content).not.toBe('')
      expect(message.sources ?? []).toEqual([])
      expect(message.statusHistory!.at(-1)).toMatchObject({
        action: 'web_search',
        error: true,
        done: true,
      })
      expect(message.statusHistory!.at(-1)!['description']).toContain(words)
    }
  })

  test('is searched once for several models that answer side by side', async () => {
    const { engine, site } = await startWeb()
    const chat = await conversation.createChat(QUESTION)
    const ids = ['one', 'two'].map((name) => `${chat.id}-${name}`)
    const targets = ids.map((id, modelIdx) => ({
      model_id: modelIdx === 0 ? 'text' : 'echo',
      message_id: id,
      modelIdx,
    }))
    const more = { chat_id: chat.chat_id, parent_id: chat.questionId, message_ids: targets }
    await (await conversation.complete(ask(more))).text()
    for (const id of ids) {
      const { sources } = await conversation.finished({ chat_id: chat.chat_id, id })
      expect(sources).not.toEqual([])
    }
    expect([engine.requests.length, site.requests.length]).toEqual([1, 2])
  })

  test('ends with the answer when somebody stops it, and the engine hears so', async () => {
    let left: () => void
    const gone = new Promise<void>((resolve) => (left = resolve))
    const engine = await startSite((request) => void request.on('close', () => left()))
    await set({ WEB_SEARCH_ENGINE: 'searxng', SEARXNG_QUERY_URL: engine.url })
    const socket = await conversation.openSocket()
    const chat = await conversation.createChat(QUESTION)
    const started = (await (
      await conversation.complete(
        ask({ chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }),
      )
    ).json()) as { task_id: string }
    await socket.event('status')
    await expect.poll(() => engine.requests.length).toBe(1)
    await conversation.server.call('POST', `/api/tasks/stop/${started.task_id}`, {
      token: conversation.token,
    })
    const message = await conversation.finished(chat)
    await gone
    expect(message.statusHistory!.at(-1)).toMatchObject({ action: 'web_search', done: true })
    expect(conversation.upstream.requests).toHaveLength(0)
  })
})
