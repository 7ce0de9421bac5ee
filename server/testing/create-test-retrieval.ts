import path from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { parseConfig } from '../config/parse-config.ts'
import { Providers } from '../providers/index.ts'
import { Retrieval, type ExtractedDocument } from '../retrieval/index.ts'
import { GatewaySettings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createTemporaryFolder } from './create-temporary-folder.ts'
import { createTestStorage } from './create-test-storage.ts'

export interface TestRetrieval {
  readonly retrieval: Retrieval
  readonly storage: Storage
  readonly settings: GatewaySettings
  readonly providers: Providers
  /** Closes it as the gateway does; another one may then be opened on the same folder. */
  close(): Promise<void>
}

/**
 * Creates the index on a real file, or on PostgreSQL with `TEST_DATABASE_URL`, with its threads.
 */
export async function createTestRetrieval(
  options: { folder?: string; environment?: Record<string, string>; vectorLibrary?: string } = {},
): Promise<TestRetrieval> {
  const folder = options.folder ?? createTemporaryFolder()
  const quiet = { LLMHOST_BASE_URLS: '', LOG_LEVEL: 'silent' }
  const config = parseConfig({ ...quiet, ...options.environment, DATA_DIR: folder })
  const storage = createTestStorage(path.join(folder, 'index.db'))
  const secrets = createSecrets('a secret of tests that is long enough')
  const settings = await GatewaySettings.open({ storage, secrets, config })
  const log = pino({ level: 'silent' })
  const providers = new Providers({ storage, secrets, settings, config, log })
  await providers.load()
  const retrieval = new Retrieval({
    storage,
    settings,
    providers,
    log,
    vectorLibrary: options.vectorLibrary,
  })
  let isOpen = true
  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await retrieval.close()
    await providers.close()
    storage.close()
  }
  onTestFinished(close)
  return { retrieval, storage, settings, providers, close }
}

/** Returns a plain Markdown document. */
export const toDocument = (
  text: string,
  more: Partial<ExtractedDocument> = {},
): ExtractedDocument => ({
  text,
  format: 'markdown',
  title: null,
  pages: [],
  language: null,
  notices: [],
  ...more,
})

/** Three texts on unrelated topics, by their ids. */
export const THREE_TEXTS = {
  bees: 'Bees gather nectar from the blossoms of the lime tree.',
  steel: 'Steel is hardened by quenching it in oil.',
  chess: 'A knight may jump over other pieces.',
}

/** Adds the three texts to the index and to the collection `all`. */
export async function indexThreeTexts({
  retrieval,
}: Pick<TestRetrieval, 'retrieval'>): Promise<void> {
  const { signal } = new AbortController()
  for (const [id, text] of Object.entries(THREE_TEXTS)) {
    await retrieval.index({ id, kind: 'text', name: id, content: toDocument(text) }, { signal })
    await retrieval.collections.add('all', id)
  }
}

/**
 * Returns the number of rows in each part of the index: documents, passages, vectors, their codes
 * and terms.
 */
export async function countIndexRows({ retrieval, storage }: TestRetrieval): Promise<number[]> {
  const { passages, vectors, codes, words } = await retrieval.checkHealth()
  const documents = await storage.all(
    storage.builder.selectFrom('retrieval_document').select('seq'),
  )
  return [documents.length, passages, vectors, codes, words]
}
