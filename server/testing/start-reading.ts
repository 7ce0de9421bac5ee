import type { Source } from '#contract/completions.ts'
import type { Library, LibraryFile } from '../completions/index.ts'
import { notFound } from '../lib/errors.ts'
import type { Passage, SearchQuery } from '../retrieval/index.ts'
import {
  startExtendedConversation,
  type ExtendedConversation,
} from './start-extended-conversation.ts'

interface KnownFile extends LibraryFile {
  readonly owner: string
  readonly text: string
}

export const PASSAGE: Passage = {
  chunk_id: 7,
  document_id: 'report-1',
  name: 'report-1.txt',
  text: 'The bridge was built in 1931.',
  preface: '',
  page: 3,
  page_label: 'iii',
  heading: ['History', 'Building'],
  start: 40,
  end: 69,
  tokens: 8,
  score: 0.8,
  vector_score: 0.7,
  word_score: 0.9,
  rerank_score: null,
}

export const QUESTION = 'When was the bridge over the river built, please?'

/** Too long to be read as a whole unless requested. */
export const [BRIDGES, TUNNELS] = ['bridges', 'tunnels'].map((name) =>
  `Many words about ${name}. `.repeat(400),
) as [string, string]

/** Returns a question to the scripted model with attachments. */
export const ask = (attached: unknown[] | undefined, more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content: QUESTION }],
  files: attached,
  ...more,
})

/** Returns the sources of an answer as JSON; fails for any other answer. */
export async function sourcesOf(response: Response): Promise<Source[]> {
  const reply = (await response.json()) as { sources?: Source[] }
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(reply)}`)
  return reply.sources ?? []
}

/** A conversation with attachments whose searches return the results a test sets. */
export interface Reading {
  readonly conversation: ExtendedConversation
  /** Session of a user who may read none of it. */
  readonly stranger: string
  readonly searches: SearchQuery[]
  /** Texts that were indexed for a question. */
  readonly indexed: string[]
  /** Results of the next searches. */
  passages: Partial<Passage>[]
  addFile(id: string, text: string, more?: Partial<KnownFile>): void
  /** Restores two files and clears the searches. */
  reset(): void
  /** Messages of the last request upstream. */
  lastMessages(): { role: string; content: string }[]
}

/**
 * Starts a conversation in which Ada has a collection with `report-1` and one with `report-2`, a
 * note `note-one` and a page in the index.
 */
export async function startReading(): Promise<Reading> {
  let owner = ''
  const files = new Map<string, KnownFile>()
  const reading: Omit<Reading, 'conversation' | 'stranger'> = {
    searches: [],
    indexed: [],
    passages: [{}],
    addFile: (id, text, more = {}) =>
      void files.set(id, {
        id,
        filename: `${id}.txt`,
        status: 'completed',
        isAsked: true,
        error: null,
        meta: { content_type: 'text/plain' },
        owner,
        text,
        ...more,
      }),
    reset() {
      files.clear()
      reading.searches.length = 0
      reading.indexed.length = 0
      reading.passages = [{}]
      reading.addFile('report-1', BRIDGES)
      reading.addFile('report-2', TUNNELS)
      conversation.upstream.requests.length = 0
    },
    lastMessages: () =>
      conversation.upstream.requests.at(-1)!.json!['messages'] as {
        role: string
        content: string
      }[],
  }
  const library: Library = createLibrary(files, reading, () => owner)
  const conversation = await startExtendedConversation(() => ({ library }), {
    environment: { ENABLE_RETRIEVAL_QUERY_GENERATION: 'false' },
  })
  owner = (await conversation.server.context.users.first())!.id
  return Object.assign(reading, { conversation, stranger: await conversation.addUser('Bob') })
}

type Shelf = Pick<Reading, 'searches' | 'indexed' | 'passages'>

const createLibrary = (
  files: ReadonlyMap<string, KnownFile>,
  shelf: Shelf,
  owner: () => string,
): Library => ({
  files: {
    get: async (userId, id) => (files.get(id)?.owner === userId ? files.get(id)! : null),
    textLength: async (id) => files.get(id)?.text.length ?? null,
    content: async (id) => ({
      text: files.get(id)!.text,
      format: 'text',
      title: null,
      pages: [],
      language: null,
      notices: [],
    }),
    toDataUrl: (userId, id) =>
      Promise.resolve(files.get(id)?.owner === userId ? 'data:image/png;base64,AAAA' : null),
  },
  knowledge: {
    get: async (caller, id) =>
      caller.userId === owner() && id !== 'nothing' ? { id, name: 'Bridges' } : null,
    fileIds: async () => ['report-1', 'report-2'],
  },
  notes: {
    get: async (caller, id) => {
      if (id !== 'note-one' || caller.userId !== owner()) throw notFound('There is no such note.')
      return { id, title: 'My note', data: { content: { md: 'Buy blue paint.' } } } as Awaited<
        ReturnType<Library['notes']['get']>
      >
    },
  },
  retrieval: {
    search: (query) => {
      shelf.searches.push(query)
      return Promise.resolve(shelf.passages.map((passage) => ({ ...PASSAGE, ...passage })))
    },
    index: ({ id }) => {
      shelf.indexed.push(id)
      return Promise.resolve({ chunks: 1, tokens: 1 })
    },
    forget: async (id) => void shelf.indexed.splice(shelf.indexed.indexOf(id), 1),
    countTokens: (text) => Promise.resolve(Math.ceil(text.length / 4)),
  },
  scopeOf: async (caller, name) =>
    name === 'web-page' && caller.userId === owner() ? 'web-page-of-ada' : null,
  readPage: (url) => Promise.resolve({ url, title: 'A page', text: `Text of ${url}` }),
  readDocument: () => Promise.reject(notFound('There is no document to read.')),
  searchWeb: () => Promise.resolve([]),
})
