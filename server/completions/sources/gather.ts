import { flatMapInOrder, filterInOrder, mapInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { nextTurn } from '../../lib/turns.ts'
import type { Passage } from '../../retrieval/index.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { budgetOf, chooseWhole, cutToFit } from './choose-whole.ts'
import type { Entry } from './entries.ts'
import { addMissing, type Found } from './find-missing.ts'
import type { Library, LibraryFile } from './library.ts'
import { mayFetch, missing, openEntry, type Reading, type WholeText } from './readings.ts'
import { requireFew } from './require-few-files.ts'
import { searchWithLoose, toLooseId } from './search-loose.ts'
import { toPassageSources, toWholeSource } from './to-sources.ts'
import { waitForFiles } from './wait-for-files.ts'
import { writeQueries } from './write-queries.ts'

/** Number of entries looked up before yielding to other work. */
const STEP = 20

interface GatherOptions {
  readonly parts: CompletionsParts
  readonly library: Library
  readonly exchange: Exchange
  readonly request: ChatCompletionRequest
  readonly entries: readonly Entry[]
}

/**
 * Maximum number of tokens of a file that is read as a whole, as long as such files take no more
 * than half of the budget.
 */
const SMALL_FILE_TOKENS = 2000

/** Reading, with a flag for those a user attached directly. */
interface Attached extends Reading {
  readonly isAttached: boolean
}

/**
 * Reads or searches the attached items, and adds the sources to the exchange. The status line shows
 * the progress and always ends.
 */
export async function gather(options: GatherOptions): Promise<void> {
  const { parts, library, exchange, entries } = options
  const readings = await openAll(options, entries)
  await waitForFiles(parts, library, exchange, readings)
  const { settings } = parts
  const isBypassed = settings.get('BYPASS_EMBEDDING_AND_RETRIEVAL')
  const isAlwaysFull = isBypassed || settings.get('RAG_FULL_CONTEXT')
  const budget = budgetOf(exchange.resolved)
  const isWhole = ({ isFull, collections }: Reading) =>
    isFull || isAlwaysFull || collections.length === 0
  const asked = await chooseWhole(library, readings.filter(isWhole), { room: budget })
  // Texts that were never embedded cannot be searched, so as much of them as fits is used.
  const cut = isBypassed ? await cutToFit(library, asked.tooLong, asked.left) : []
  if (asked.tooLong.length > 0) noteTooLong(exchange, asked.tooLong.length, isBypassed)
  const rest = readings.filter((reading) => !isWhole(reading))
  const small = await chooseSmall(library, rest, Math.floor(asked.left / 2))
  const searched = await filterInOrder(
    [...rest.filter((reading) => !small.taken.has(reading)), ...(isBypassed ? [] : asked.tooLong)],
    hasSomething,
  )
  const room = Math.max(asked.left - small.tokens, Math.floor(budget / 4))
  const found = searched.length === 0 ? NOTHING : await search(options, searched, room)
  const sources = [
    ...(await mapInOrder(
      [...asked.whole, ...small.whole, ...cut, ...found.beginnings],
      toWholeSource,
    )),
    ...(await toPassageSources(found.passages, await describer(options, searched))),
  ]
  exchange.addSources(sources)
  if (sources.length + searched.length > 0) noteRetrieved(exchange, sources.length)
  await noteLeftOut(library, exchange, readings)
}

const NOTHING: Found = { passages: [], beginnings: [] }

/** Selects small files that users attached, the smallest first, as long as they fit. */
async function chooseSmall(library: Library, readings: readonly Attached[], room: number) {
  const files = readings.filter(({ isAttached, files }) => isAttached && files.length > 0)
  const lengthOf = async (reading: Reading): Promise<number> =>
    (await reading.texts()).reduce((sum, { length }) => sum + length, 0)
  const measured = await mapInOrder(files, async (file) => ({ file, length: await lengthOf(file) }))
  const inOrder = measured
    .toSorted((one, other) => one.length - other.length)
    .map(({ file }) => file)
  const { whole, tooLong, left } = await chooseWhole(library, inOrder, {
    room,
    most: SMALL_FILE_TOKENS,
  })
  const isLong = new Set(tooLong)
  return {
    whole,
    taken: new Set<Reading>(files.filter((reading) => !isLong.has(reading))),
    tokens: room - left,
  }
}

const hasSomething = async ({ collections, texts }: Reading): Promise<boolean> =>
  collections.length > 0 || (await texts()).length > 0

/**
 * Opens every entry. Entries named by the caller of this request must exist; others may have been
 * deleted or unshared since.
 */
async function openAll(
  { parts, library, exchange }: GatherOptions,
  entries: readonly Entry[],
): Promise<Attached[]> {
  const { caller, signal } = exchange
  const context = {
    library,
    chats: parts.chats,
    caller,
    mayFetch: await mayFetch(parts, caller),
    signal,
  }
  const open = async (entry: Entry): Promise<Attached | null> => {
    try {
      const reading = await openEntry(context, entry)
      return reading && { ...reading, isAttached: entry.isAttached === true }
    } catch (error) {
      // An unreachable page must not block a conversation it was once attached to.
      if (entry.isSent || exchange.signal.aborted) throw error
      return null
    }
  }
  requireFew(entries)
  const opening: Promise<Attached | null>[] = []
  for (const [place, entry] of entries.entries()) {
    if (place % STEP === STEP - 1) await nextTurn()
    const reading = open(entry)
    // A failure is handled below; this prevents an unhandled rejection until then.
    reading.catch(() => {})
    opening.push(reading)
  }
  const opened = await Promise.all(opening)
  const isUnreadable = (_: Entry, index: number) => opened[index] === null
  const absent = entries.filter(isUnreadable)
  const named = absent.find(({ isSent }) => isSent)
  if (named) throw missing(named)
  if (absent.length > 0) {
    const names = toNames(absent.flatMap(({ name }) => name ?? []))
    const sentence =
      absent.length === 1
        ? 'One attached source is no longer there for you and left out.'
        : `${absent.length} attached sources are no longer there for you and left out.`
    const description = names === '' ? sentence : `${names}: ${sentence}`
    exchange.tell({
      type: 'status',
      data: { action: 'sources_left_out', count: absent.length, description, done: true },
    })
  }
  return opened.filter((reading) => reading !== null)
}

function noteTooLong(exchange: Exchange, count: number, isCut: boolean): void {
  const cut =
    count === 1
      ? 'One source is too long to be read as a whole and cut off.'
      : `${count} sources are too long to be read as a whole and cut off.`
  const searched =
    count === 1
      ? 'One source is too long to be read as a whole and searched instead.'
      : `${count} sources are too long to be read as a whole and searched instead.`
  const description = isCut ? cut : searched
  exchange.tell({
    type: 'status',
    data: { action: isCut ? 'sources_cut' : 'sources_searched', count, description, done: true },
  })
}

function noteRetrieved(exchange: Exchange, count: number): void {
  const description =
    count === 0
      ? 'Nothing in the sources fits the question.'
      : count === 1
        ? 'Found one source.'
        : `Found ${count} sources.`
  exchange.tell({
    type: 'status',
    data: { action: 'sources_retrieved', count, description, done: true },
  })
}

const toNames = (names: readonly string[]): string => names.join(', ').slice(0, 300)

/**
 * Reports attached files of which nothing reaches the model, to the windows and to the model
 * itself.
 */
async function noteLeftOut(
  library: Library,
  exchange: Exchange,
  readings: readonly Attached[],
): Promise<void> {
  const shown = new Set(exchange.findings.sources.map(({ source }) => source.id))
  const files = readings.flatMap((reading) => (reading.isAttached ? reading.files : []))
  const absent = await flatMapInOrder(
    files.filter(({ id }) => !shown.has(id)),
    async ({ id }) => (await library.files.get(exchange.caller.userId, id)) ?? [],
  )
  exchange.findings.leftOut.push(...absent.map(({ filename }) => filename))
  // The user has already been notified of failed files, with the reason.
  const unsaid = absent.filter(({ status }) => status !== 'failed')
  const isEmpty = async ({ id }: LibraryFile): Promise<boolean> =>
    !(await library.files.textLength(id))
  const tell = (left: readonly LibraryFile[], why: string): void => {
    if (left.length === 0) return
    const description = `${toNames(left.map(({ filename }) => filename))}: ${why}`
    exchange.tell({
      type: 'status',
      data: { action: 'sources_left_out', count: left.length, description, done: true },
    })
  }
  tell(await filterInOrder(unsaid, isEmpty), 'left out, as there is no text in it.')
  tell(
    await filterInOrder(unsaid, async (file) => !(await isEmpty(file))),
    'left out, as there was no room left for it. Ask about fewer files at once.',
  )
}

/**
 * Searches the index; texts that are not in it, such as a long note, are indexed for the duration
 * of the search. Every file a user attached is represented in the results, as long as the budget
 * allows.
 */
async function search(
  options: GatherOptions,
  readings: readonly Attached[],
  tokenBudget: number,
): Promise<Found> {
  const { parts, library, exchange, request } = options
  const { signal } = exchange
  const texts = await writeQueries(parts, exchange, request)
  if (texts.length === 0) return addMissing({ library, exchange, texts, readings, tokenBudget }, [])
  exchange.tell({
    type: 'status',
    data: {
      action: 'knowledge_search',
      queries: texts,
      description: 'Searching the sources…',
      done: false,
    },
  })
  const loose = await flatMapInOrder(
    readings.filter(({ collections }) => collections.length === 0),
    (reading) => reading.texts(),
  )
  const collections = readings.flatMap((reading) => reading.collections)
  const key = JSON.stringify([
    'search',
    texts,
    collections,
    loose.map(({ source, length }) => [source, length]),
    tokenBudget,
  ])
  try {
    const best = await exchange.share(key, signal, () =>
      searchWithLoose(library, { texts, collections, tokenBudget }, loose, signal),
    )
    return await addMissing({ library, exchange, texts, readings, tokenBudget }, best)
  } finally {
    exchange.tell({
      type: 'status',
      data: {
        action: 'knowledge_search',
        queries: texts,
        description: 'Searched the sources.',
        done: true,
      },
    })
  }
}

/**
 * Returns a function that names a found document: by the caller's file, by a text of the request,
 * or by the metadata in the index.
 */
async function describer({ library, exchange }: GatherOptions, readings: readonly Reading[]) {
  const loose = await flatMapInOrder(
    readings.filter(({ collections }) => collections.length === 0),
    (reading) => reading.texts(),
  )
  return async ({ document_id: id, name }: Passage): Promise<WholeText['source']> => {
    const known = loose.find((_, index) => toLooseId(index) === id)
    if (known) return known.source
    const file = await library.files.get(exchange.caller.userId, id)
    return file ? { id, name: file.filename, type: 'file' } : { id, name, type: 'text' }
  }
}
