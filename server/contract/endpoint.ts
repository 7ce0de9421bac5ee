import type { z } from './lazy-zod.ts'
import type { Permission } from './permissions.ts'

/**
 * Callers allowed to use an endpoint. `session` is any signed-in role, including pending; `user`
 * excludes pending; `scim` is only the system that provisions accounts, identified by its token.
 */
export type EndpointAuth = 'none' | 'session' | 'user' | 'admin' | 'scim'

/**
 * Form of the reply: one JSON document, or a body the handler writes itself, which may consist of
 * headers only.
 */
export type EndpointReply = 'json' | 'stream'

/** Settings that enable and disable endpoints. */
export type FeatureSwitch =
  | `ENABLE_${'ADMIN_ANALYTICS' | 'ADMIN_CHAT_ACCESS' | 'ADMIN_EXPORT' | 'CHANNELS' | 'FOLDERS' | 'MEMORIES' | 'NOTES'}`
  | `ENABLE_${'AUTOMATIONS' | 'CALENDAR' | 'IMAGE_EDIT' | 'IMAGE_GENERATION' | 'MESSAGE_RATING' | 'OPENAI_API_PASSTHROUGH'}`
  | `ENABLE_${'SCIM' | 'USER_STATUS' | 'USER_WEBHOOKS' | 'WEB_SEARCH'}`

/**
 * One row of the gateway's endpoint table.
 *
 * The table drives routing, parsing, the renderer's client, the OpenAPI document, the API-key
 * allow-list and the authorisation matrix. `path` uses the `:name` form for parameters; `aliases`
 * are further paths of the same handler.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly id: string
  readonly tag: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly aliases?: readonly string[]
  readonly auth: EndpointAuth
  /** Additional permission required of the caller, otherwise 403; administrators need none. */
  readonly permission?: Permission
  /**
   * The browser's cookie alone is sufficient: for a page, image, file or download, whose request
   * cannot carry a header. GET only, and never for endpoints that change anything or return API
   * data, because servers on other ports of the same host receive the cookie too.
   */
  readonly opensByCookie?: true
  /**
   * Key of the switch (a boolean setting) without which the endpoint returns 403 to all callers.
   */
  readonly feature?: FeatureSwitch
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * The body is JSON whatever its media type, because clients of a local runtime's API send it that
   * way. Browsers send forms of other pages with their cookie, so a caller identified by a cookie
   * still has to declare JSON. A list names the beginnings of the paths this applies to, for
   * endpoints shared with other APIs.
   */
  readonly takesAnyType?: true | readonly string[]
  /**
   * Maximum accepted body size in bytes; 1 MiB if absent, JSON_BODY_MAX_SIZE_ANONYMOUS if `auth` is
   * `none`.
   */
  readonly bodyLimit?: number
  /** Limits the values in the body to JSON_IMPORT_MAX_VALUES instead of JSON_BODY_MAX_VALUES. */
  readonly takesImport?: true
  /**
   * The body is a single stored record, limited to JSON_RECORD_MAX_VALUES values, like the bodies
   * of all endpoints without a `bodyLimit`.
   */
  readonly takesRecord?: true
  /**
   * The handler reads the body itself from `call.request`; `types` are its media types, for the
   * document. Excludes `body`.
   */
  readonly upload?: { readonly types: readonly string[]; readonly limit: number }
  readonly response: Response
  readonly reply: EndpointReply
  /**
   * Media types of the reply, for the document, if it is not only JSON or a stream of the dialect.
   */
  readonly replyTypes?: readonly string[]
  readonly summary: string
  /** Adds the error object of a vendor dialect beside `detail` (docs/decisions.md). */
  readonly errorDialect?: 'chat-completions' | 'messages' | 'runtime' | 'scim'
  /** Statuses other than 401/422 that a caller has to expect. */
  readonly errors?: readonly number[]
}

/** Any row of the table, whatever its schemas. */
// oxlint-disable-next-line typescript/no-explicit-any -- a table row of unknown schemas; `any` keeps inference of the parts
export type AnyEndpoint = Endpoint<any, any, any, any>

/** Input of a caller: path parameters, query and body, each only if the row declares it. */
export type EndpointInput<E extends AnyEndpoint> = (E['params'] extends z.ZodType
  ? { params: z.input<E['params']> }
  : { params?: undefined }) &
  (E['query'] extends z.ZodType ? { query?: z.input<E['query']> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: z.input<E['body']> } : { body?: undefined })

/** Parsed body of the reply. */
export type EndpointOutput<E extends AnyEndpoint> = z.output<E['response']>

type EndpointRow = Omit<AnyEndpoint, 'reply' | 'auth'> & {
  auth?: EndpointAuth
  reply?: EndpointReply
}

type WithDefaults<Row> = Row &
  (Row extends { auth: EndpointAuth } ? unknown : { auth: 'user' }) &
  (Row extends { reply: EndpointReply } ? unknown : { reply: 'json' })

/** Declares one endpoint; `auth` defaults to `user`, `reply` to `json`. The row is frozen. */
export function defineEndpoint<const Row extends EndpointRow>(row: Row): WithDefaults<Row> {
  return Object.freeze({ auth: 'user', reply: 'json', ...row }) as WithDefaults<Row>
}

/** Row of a group, whose omitted fields come from the group. */
type GroupedRow = Partial<Omit<EndpointRow, 'tag'>> &
  Pick<EndpointRow, 'method' | 'path' | 'summary'>

/**
 * Common fields of the rows of a group: `domain` is the prefix of their ids, `root` that of their
 * paths.
 */
type EndpointGroup = Partial<Omit<EndpointRow, 'id' | 'path' | 'tag'>> & {
  readonly domain: string
  readonly tag: string
  readonly root?: string
}

type Grouped<Group, Row> = WithDefaults<
  Omit<Group, 'domain' | 'root' | keyof Row> & Row & { readonly id: string; readonly path: string }
>

/**
 * Declares the endpoints of one domain. The id of a row is the domain followed by its key, unless
 * it has an explicit id.
 */
export function defineEndpoints<
  const Group extends EndpointGroup,
  const Rows extends Readonly<Record<string, GroupedRow>>,
>(group: Group, rows: Rows): { readonly [Key in keyof Rows]: Grouped<Group, Rows[Key]> } {
  const { domain, root = '', ...shared } = group
  const toEndpoint = (key: string, row: GroupedRow) =>
    Object.freeze({
      auth: 'user',
      reply: 'json',
      id: `${domain}.${key}`,
      ...shared,
      ...row,
      path: root + row.path,
    })
  return Object.fromEntries(
    Object.keys(rows).map((key) => [key, toEndpoint(key, rows[key]!)]),
  ) as never
}
