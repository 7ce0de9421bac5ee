import { decodePercent } from '../../lib/text/decode-percent.ts'
import { badRequest, ServiceError, upstreamFailed } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'
import { isFileName } from '../library/find-models.ts'

/** Source of a model file and what is known of the file in advance. */
export interface ModelSource {
  /** URLs of the same file, tried one after the other. */
  readonly addresses: readonly string[]
  readonly fileName: string
  readonly bytes: number | null
  readonly sha256: string | null
  /** Checksum of sources that state this one instead. */
  readonly sha512?: string
}

const REPOSITORY =
  /^(?:(?:hf\.co|huggingface\.co)\/)?([\w.-]{1,96})\/([\w.-]{1,96})(?::([\w.-]{1,64}))?$/
/** Preferred quantisations if a repository has several: small, with hardly any loss of quality. */
const USUAL = ['Q4_K_M', 'Q4_K_S', 'Q4_0', 'Q5_K_M', 'Q8_0', 'MXFP4', 'F16']
const NO_CHAT = /mmproj|imatrix/i

function requireFileName(name: string): string {
  if (!isFileName(name))
    throw badRequest(
      'The address must end with the name of a model file: letters, digits, dots and dashes, and ".gguf" at the end.',
    )
  return name
}

function fromAddress(address: string): ModelSource {
  const url = URL.parse(address)
  if (!url) throw badRequest('This is not a web address.')
  const name = decodePercent(url.pathname).split('/').at(-1) ?? ''
  return { addresses: [address], fileName: requireFileName(name), bytes: null, sha256: null }
}

interface Listed {
  readonly path: string
  readonly bytes: number | null
  readonly sha256: string | null
}

/** Returns the files with the ending; null if the text is no list of files. */
function parseFiles(text: string, ending: RegExp): Listed[] | null {
  const rows: unknown = parseOrNull(text)
  if (!Array.isArray(rows)) return null
  return rows.filter(isRecord).flatMap((row) => {
    const { path, size, lfs } = row
    if (typeof path !== 'string' || !ending.test(path) || NO_CHAT.test(path)) return []
    const hash = isRecord(lfs) && typeof lfs['oid'] === 'string' ? lfs['oid'] : ''
    return [
      {
        path,
        bytes: typeof size === 'number' ? size : null,
        sha256: /^[\da-f]{64}$/i.test(hash) ? hash.toLowerCase() : null,
      },
    ]
  })
}

function choose(files: readonly Listed[], wanted: string | undefined): Listed {
  const has = (file: Listed, kind: string): boolean =>
    file.path.toLowerCase().includes(kind.toLowerCase())
  const kinds = wanted === undefined || wanted === 'latest' ? USUAL : [wanted]
  const found = kinds.flatMap((kind) => files.filter((file) => has(file, kind)))[0]
  const chosen = found ?? (files.length === 1 || kinds === USUAL ? files[0] : undefined)
  if (!chosen) {
    const names = files.map(({ path }) => path).slice(0, 12)
    throw badRequest(
      files.length === 0
        ? 'This repository has no model files in the GGUF format.'
        : `This repository has no file of the kind "${wanted}". It has: ${names.join(', ')}.`,
    )
  }
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(chosen.path))
    throw badRequest(
      'This model comes in several files, which cannot be downloaded here. Choose a smaller kind of it.',
    )
  requireFileName(chosen.path.split('/').at(-1) ?? '')
  return chosen
}

export interface SourceParts {
  readonly fetch: GuardedFetch
  readonly mirrors: readonly string[]
}

/** A repository of a hub, and the wanted file in it. */
interface Wanted {
  readonly owner: string
  readonly name: string
  readonly ending: RegExp
  readonly choose: (files: readonly Listed[]) => Listed
}

const isWrongRequest = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 400

const noList = (cause?: unknown): ServiceError =>
  upstreamFailed('The hub answered with something that is no list of files.', { cause })

async function listFiles(
  fetch: SourceParts['fetch'],
  base: string,
  { owner, name, ending }: Wanted,
  signal: AbortSignal,
): Promise<Listed[]> {
  const list = `${base}/api/models/${owner}/${name}/tree/main?recursive=true`
  const { status, bytes } = await fetch.fetch(list, {}, signal).catch((error: unknown) => {
    throw error instanceof ServiceError && error.code === 'page_too_large' ? noList(error) : error
  })
  if (status !== 200)
    throw upstreamFailed(`There is no repository "${owner}/${name}", or it is not public.`)
  const files = parseFiles(bytes.toString('utf8'), ending)
  if (!files) throw noList()
  return files
}

/**
 * Queries one hub after the other until one has the file. If none has it, throws what the hub said
 * that knows the repository, otherwise the failure of the first hub.
 */
async function fromRepository(
  { fetch, mirrors }: SourceParts,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ModelSource> {
  const { owner, name } = wanted
  const bases = mirrors.map((mirror) => mirror.replace(/\/+$/, ''))
  const failures: unknown[] = []
  for (const base of bases) {
    try {
      const file = wanted.choose(await listFiles(fetch, base, wanted, signal))
      const place = file.path.split('/').map(encodeURIComponent).join('/')
      return {
        addresses: bases.map((each) => `${each}/${owner}/${name}/resolve/main/${place}`),
        fileName: file.path.split('/').at(-1) ?? '',
        bytes: file.bytes,
        sha256: file.sha256,
      }
    } catch (error) {
      if (signal.aborted) throw error
      failures.push(error)
    }
  }
  throw (
    failures.find(isWrongRequest) ??
    failures[0] ??
    badRequest('No hub for models is set. An administrator can name one.')
  )
}

/** Finds the file with a given name in a repository. */
export const findNamedFile = (
  parts: SourceParts,
  { owner, name, file }: { owner: string; name: string; file: string },
  signal: AbortSignal,
): Promise<ModelSource> =>
  fromRepository(
    parts,
    {
      owner,
      name,
      ending: /\.bin$/,
      choose(files) {
        const found = files.find(({ path }) => path === file)
        if (!found) throw upstreamFailed(`The hub has no file "${file}" any more.`)
        return found
      },
    },
    signal,
  )

/**
 * Resolves the input: the URL of a file, or the name of a repository with the wanted quantisation.
 */
export async function findSource(
  parts: SourceParts,
  text: string,
  signal: AbortSignal,
): Promise<ModelSource> {
  const wanted = text.trim()
  if (/^https?:\/\//i.test(wanted)) return fromAddress(wanted)
  const repository = REPOSITORY.exec(wanted)
  if (!repository)
    throw badRequest(
      'Name the address of a GGUF file, or a repository of a hub as in "owner/name" or "owner/name:Q4_K_M".',
    )
  const [, owner = '', name = '', kind] = repository
  return fromRepository(
    parts,
    { owner, name, ending: /\.gguf$/i, choose: (files) => choose(files, kind) },
    signal,
  )
}
