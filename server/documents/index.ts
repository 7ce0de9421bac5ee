import path from 'node:path'
import type { Access } from '../access/index.ts'
import type { Audio } from '../audio/index.ts'
import type { Config } from '../config/config.ts'
import type { Events } from '../events/index.ts'
import { Files } from '../files/index.ts'
import { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Logger } from '../lib/logger.ts'
import type { Live } from '../live/index.ts'
import type { Providers } from '../providers/index.ts'
import {
  createBytesReader,
  createRetrievalRoutes,
  Extraction,
  readFetchPolicy,
  type FetchSettings,
  Retrieval,
  searchWeb,
  WebReader,
} from '../retrieval/index.ts'
import type { GatewaySettings } from '../settings/index.ts'
import type { Bucket } from '../storage/blobs/bucket/bucket.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { Knowledge } from '../knowledge/index.ts'
import { Uses } from './uses.ts'

/**
 * The URL of a search engine is set by an administrator, whose engine may be on the local network.
 */
const createEngineFetch = (settings: FetchSettings): GuardedFetch =>
  new GuardedFetch(() => readFetchPolicy(settings), {
    purpose: { kind: 'search' },
    isChosen: true,
  })

interface DocumentsDependencies {
  readonly config: Config
  readonly storage: Storage
  /** Bucket for uploads instead of the data folder. */
  readonly bucket: Bucket | null
  readonly settings: GatewaySettings
  readonly users: Users
  readonly events: Events
  readonly access: Access
  readonly providers: Providers
  readonly live: Live | null
  readonly log: Logger
  readonly audio: Audio
}

/** Builds everything that reads, stores and finds documents, and the routes for it. */
export function createDocuments(dependencies: DocumentsDependencies) {
  const { config, storage, settings, users, events, access } = dependencies
  const { providers, live, log, audio, bucket } = dependencies
  const uses = new Uses()
  const extraction = new Extraction({
    timeLimit: () => settings.get('CONTENT_EXTRACTION_TIMEOUT') * 1000,
  })
  const retrieval = new Retrieval({ storage, settings, providers, live, log })
  const shared = { storage, settings, users, events, live, log }
  const files = new Files({
    ...shared,
    extraction,
    recordings: audio,
    retrieval,
    uses: uses.ofFile,
    dataDir: config.dataDir,
    bucket,
    hasOtherGateways: config.databaseServer !== null,
    log,
  })
  const guardedFetch = new GuardedFetch(() => readFetchPolicy(settings))
  const temporaryFolder = path.join(config.dataDir, 'downloads')
  const readDocument = createBytesReader(extraction, temporaryFolder)
  const webReader = new WebReader({
    fetch: guardedFetch,
    extraction,
    temporaryFolder,
    languages: () => settings.get('YOUTUBE_LOADER_LANGUAGE'),
  })
  const knowledge = new Knowledge({
    storage,
    access,
    users,
    files,
    retrieval,
    uses: uses.ofCollection,
    log,
  })
  const { collections } = knowledge
  const engineFetch = createEngineFetch(settings)
  const askEngine = (queries: readonly string[], signal: AbortSignal) =>
    searchWeb({ settings, fetch: engineFetch }, queries, signal)
  const retrievalRoutes = createRetrievalRoutes({
    settings,
    retrieval,
    files,
    knowledge,
    collections,
    reader: webReader,
    searchWeb: askEngine,
  })
  const routes = [...files.routes, ...knowledge.routes, ...retrievalRoutes]
  return {
    extraction,
    retrieval,
    files,
    guardedFetch,
    webReader,
    readDocument,
    searchWeb: askEngine,
    knowledge,
    uses,
    routes,
  }
}
