import type { Environment } from './env.ts'
import { refuse } from './refuse.ts'
import { StartError } from './start-error.ts'

/** An S3-compatible store for the bytes of uploads. */
export interface ObjectStoreConfig {
  readonly bucket: string
  /** Null for AWS. */
  readonly endpoint: string | null
  readonly region: string
  /** Null leaves it to the SDK, which checks the environment and queries the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** Prefix of all object names; empty, or with a trailing slash. */
  readonly keyPrefix: string
  /** True if the bucket is in the path of the URL instead of its host name. */
  readonly isPathStyle: boolean
}

const DEFAULT_REGION = 'us-east-1'
const LONGEST_PREFIX = 500

function missing(name: string, reason: string): never {
  throw new StartError(`${name} is missing: ${reason}.`, { exitCode: 2 })
}

function parseEndpoint(text: string): string | null {
  if (text === '') return null
  const allowed = 'an address that begins with https:// or http://'
  const url = URL.canParse(text) ? new URL(text) : null
  // The message must not repeat a password entered there.
  if (url && (url.username !== '' || url.password !== ''))
    throw new StartError(
      'S3_ENDPOINT_URL must not hold a user name or password. Put them into S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
      { exitCode: 2 },
    )
  if (!url || text.includes('@'))
    throw new StartError(`S3_ENDPOINT_URL is not ${allowed}.`, { exitCode: 2 })
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return refuse('S3_ENDPOINT_URL', text, allowed)
  return url.href
}

function parsePrefix(text: string): string {
  const parts = text.split('/').filter((part) => part !== '')
  const isFit = parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  if (!isFit || text.length > LONGEST_PREFIX)
    return refuse('S3_KEY_PREFIX', text, 'letters, digits and . _ - with slashes in between')
  return parts.map((part) => `${part}/`).join('')
}

function parseCredentials(
  accessKeyId: string,
  secretAccessKey: string,
): ObjectStoreConfig['credentials'] {
  if (accessKeyId === '' && secretAccessKey === '') return null
  if (accessKeyId === '') missing('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY is the secret of a key')
  if (secretAccessKey === '')
    missing('S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID is a key that needs its secret')
  return { accessKeyId, secretAccessKey }
}

function parseIsPathStyle(text: string, endpoint: string | null): boolean {
  if (text === '' || text === 'auto') return endpoint !== null
  return (
    text === 'path' ||
    (text !== 'virtual' && refuse('S3_ADDRESSING_STYLE', text, 'auto, path or virtual'))
  )
}

/** Returns null if uploads are stored in the data folder. */
export function parseObjectStore(environment: Environment): ObjectStoreConfig | null {
  const read = (name: string): string => environment[name]?.trim() ?? ''
  const provider = read('STORAGE_PROVIDER').toLowerCase()
  if (provider === '' || provider === 'local') return null
  if (provider !== 's3') return refuse('STORAGE_PROVIDER', provider, 'local or s3')
  const bucket = read('S3_BUCKET_NAME')
  if (bucket === '') missing('S3_BUCKET_NAME', 'STORAGE_PROVIDER=s3 needs the name of a bucket')
  if (!/^[\w.-]{3,255}$/.test(bucket))
    return refuse(
      'S3_BUCKET_NAME',
      bucket,
      'the name of a bucket: letters, digits, dots and hyphens',
    )
  const endpoint = parseEndpoint(read('S3_ENDPOINT_URL'))
  return {
    bucket,
    endpoint,
    region: read('S3_REGION_NAME') || DEFAULT_REGION,
    credentials: parseCredentials(read('S3_ACCESS_KEY_ID'), read('S3_SECRET_ACCESS_KEY')),
    keyPrefix: parsePrefix(read('S3_KEY_PREFIX')),
    isPathStyle: parseIsPathStyle(read('S3_ADDRESSING_STYLE').toLowerCase(), endpoint),
  }
}
