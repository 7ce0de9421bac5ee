import { z, type ZodObject, type ZodType } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { SESSION_KEY_HEADER } from '#contract/auths.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { toSchema } from '#contract/lazy-zod.ts'
import { describeReplies } from './openapi-replies.ts'
import { OPENAPI_TAGS } from './openapi-tags.ts'

/** Values that differ between gateways. */
export interface DocumentOptions {
  readonly title: string
  readonly version: string
  /** Header accepted for API keys in addition to `Authorization`. */
  readonly keyHeader: string
}

const DESCRIPTION = `One API in front of every model that is connected, and of everything the interface shows.

**Credentials.** Send an API key (\`sk-…\`) or a session token as \`Authorization: Bearer …\`. A key can also travel in the key
header below. A browser sends the cookie of its session, which alone opens pages, pictures, files and downloads; every other
call of a page carries \`${SESSION_KEY_HEADER}\` too, with the value that the answer to its sign-in had in the same header.

**Client libraries.** Libraries for chat completions take \`{address}/api\` as their base address, libraries for the messages
API the same, and programs of the local runtime \`{address}/llmhost\` or \`{address}/ollama\`.

**Failures.** Every failed call answers \`{"detail": …}\`: a sentence, or a list of places when the input does not fit (422).
Things of somebody else are answered 404 like things that do not exist. Every reply carries \`X-Request-Id\`.

**Spellings.** Each path answers alike with and without a slash at its end. Times are Unix seconds unless a field says otherwise.`

const PATH_PARAMETER = /[:*](\w+)/g
const namesIn = (path: string): string[] =>
  [...path.matchAll(PATH_PARAMETER)].map(([, name]) => name!)

/**
 * Returns the parameters of one path; aliases may have more, and the text matched by a wildcard is
 * a single parameter.
 */
function toPathSchema({ path, params }: AnyEndpoint): ZodObject | undefined {
  const shape = (toSchema(params) as ZodObject | undefined)?.shape
  const names = namesIn(path)
  if (!shape || names.length === 0) return undefined
  return z.object(
    Object.fromEntries(
      names.map((name) => [name, path.includes(`*${name}`) ? z.string() : shape[name]!]),
    ),
  )
}

const WHO: Readonly<Record<AnyEndpoint['auth'], string>> = {
  none: 'Needs no sign-in.',
  session: 'For all signed-in users, also while an account waits for approval.',
  user: '',
  admin: 'For administrators.',
  scim: 'For the system that provisions accounts, by the token in `SCIM_TOKEN`.',
}

const SECURITY: Readonly<Partial<Record<AnyEndpoint['auth'], Record<string, string[]>[]>>> = {
  none: [],
  scim: [{ bearer: [] }],
}

function describe({ auth, permission, feature, aliases, opensByCookie }: AnyEndpoint): string {
  const paths = aliases?.map((alias) => `\`${alias.replace(PATH_PARAMETER, '{$1}')}\``).join(', ')
  return [
    WHO[auth],
    permission === undefined ? '' : `Needs the permission \`${permission}\`.`,
    feature === undefined ? '' : `Answers 403 while \`${feature}\` is off.`,
    opensByCookie ? 'The cookie of a browser opens it alone.' : '',
    paths === undefined ? '' : `Also at ${paths}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function toRequestBody({ body, upload }: AnyEndpoint): ZodOpenApiOperationObject['requestBody'] {
  if (body)
    return {
      required: true,
      content: { 'application/json': { schema: toSchema(body) as ZodType } },
    }
  if (!upload) return undefined
  return {
    required: true,
    content: Object.fromEntries(
      upload.types.map((type) => [type, { schema: { format: 'binary', type: 'string' } }]),
    ),
  }
}

function toOperation(endpoint: AnyEndpoint): ZodOpenApiOperationObject {
  const path = toPathSchema(endpoint)
  const requestBody = toRequestBody(endpoint)
  const description = describe(endpoint)
  return {
    operationId: endpoint.id.replace('.', '_'),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(description !== '' && { description }),
    security: SECURITY[endpoint.auth] ?? [{ bearer: [] }, { keyHeader: [] }, { session: [] }],
    requestParams: {
      ...(path && { path }),
      ...(endpoint.query && { query: toSchema(endpoint.query) }),
    },
    ...(requestBody && { requestBody }),
    responses: describeReplies(endpoint),
  }
}

/** Converts the endpoint table into an OpenAPI 3.1 document (docs/decisions.md). */
export function createOpenApiDocument(
  table: readonly AnyEndpoint[],
  options: DocumentOptions,
): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of table) {
    const path = endpoint.path.replace(PATH_PARAMETER, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: { title: options.title, version: options.version, description: DESCRIPTION },
    servers: [{ url: '/', description: 'The gateway this document comes from.' }],
    tags: [...OPENAPI_TAGS],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`sk-…`) or a session token.',
        },
        keyHeader: {
          type: 'apiKey',
          in: 'header',
          name: options.keyHeader,
          description: 'An API key, for callers whose `Authorization` is taken.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'token',
          description: 'A session. The one of a browser opens only what a link opens.',
        },
      },
    },
  }
  return createDocument(document) as unknown as Record<string, unknown>
}
