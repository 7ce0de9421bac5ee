import { badRequest, ServiceError, upstreamFailed } from '../../lib/errors.ts'
import { createOutgoingTarget, type OutgoingTarget } from '../../lib/outgoing/outgoing.ts'

const REDIRECTS = 5
const CONNECT_MILLISECONDS = 10_000
const FIRST_BYTE_MILLISECONDS = 60_000
const IDLE_MILLISECONDS = 120_000
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'chat-gateway' }

/** Public libraries of model files, and the hosts that serve their files. */
const LIBRARY = /^https:\/\/(huggingface\.co|github\.com)\/./
const LIBRARY_HOST = /^([\w-]+\.)*(huggingface\.co|hf\.co|github\.com|githubusercontent\.com)$/

export const isLibraryAddress = (address: string): boolean => LIBRARY.test(address)
const isLibraryFile = (url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && LIBRARY_HOST.test(url.hostname)

/** A file being downloaded. `length` is null if the library does not state it. */
export interface FetchedFile {
  readonly length: number | null
  readonly chunks: AsyncIterable<Buffer>
  close(): Promise<void>
}

interface Hop {
  readonly target: OutgoingTarget
  readonly next: string | null
  readonly file: FetchedFile | null
}

async function ask(url: URL, signal: AbortSignal): Promise<Hop> {
  const target = createOutgoingTarget(url.origin, {
    connectMilliseconds: CONNECT_MILLISECONDS,
    purpose: { kind: 'model_download' },
  })
  try {
    const reply = await target.open(
      {
        method: 'GET',
        path: url.pathname + url.search,
        headers: HEADERS,
        body: null,
        firstByteMilliseconds: FIRST_BYTE_MILLISECONDS,
        idleMilliseconds: IDLE_MILLISECONDS,
      },
      signal,
    )
    const { location, 'content-length': length } = reply.headers
    if (reply.status >= 300 && reply.status < 400 && location !== undefined) {
      reply.abort()
      return { target, next: location, file: null }
    }
    if (reply.status !== 200)
      throw upstreamFailed(
        `The library answered with status ${reply.status}. Check the address of the file.`,
      )
    return {
      target,
      next: null,
      file: {
        length: length === undefined ? null : Number(length),
        chunks: reply.chunks(),
        close: () => target.close(),
      },
    }
  } catch (error) {
    await target.close()
    if (signal.aborted || error instanceof ServiceError) throw error
    throw upstreamFailed(
      `The library ${url.host} cannot be reached. Check the connection of the gateway.`,
      { cause: error },
    )
  }
}

/** Opens a file, following redirects only to hosts that belong to a library. */
export async function fetchFile(
  address: string,
  { signal, isAllowed = isLibraryFile }: { signal: AbortSignal; isAllowed?: (url: URL) => boolean },
): Promise<FetchedFile> {
  let url = URL.parse(address)
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    if (!url || !isAllowed(url))
      throw badRequest('Only files of huggingface.co and github.com can be fetched.')
    const { target, next, file } = await ask(url, signal)
    if (file) return file
    await target.close()
    url = next === null ? null : URL.parse(next, url.href)
  }
  throw upstreamFailed('The library redirects too often.')
}
