import type { z } from './lazy-zod.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may call an endpoint. `session` is any signed-in role, pending included; `user` excludes
 * pending; `scim` is the system that provisions accounts, by its token and nobody else.
 */
export type EndpointAuth = 'none' | 'session' | 'user' | 'admin' | 'scim'

/**
 * How the reply travels: one JSON document, a body the handler writes itself, or nothing but
 * headers.
 */
export type EndpointReply = 'json' | 'stream'

/** The settings that switch endpoints on and off. */
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
  /** What the caller must be permitted besides, else 403; admins may everything. */
  readonly permission?: Permission
  /**
   * The cookie of a browser opens it alone: a page, picture, file or download, whose request can
   * carry no header. GET only, and nothing that changes anything or answers with data of the API,
   * as servers on other ports of the same host get the cookie too.
   */
  readonly opensByCookie?: true
  /** Key of the switch (a boolean setting) without which the endpoint answers everybody 403. */
  readonly feature?: FeatureSwitch
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /**
   * The body is JSON whatever its media type says, as programs send it that know the API of a local
   * runtime. Browsers send forms of other pages with their cookie, so that a caller known by one
   * still has to say JSON.
   */
  readonly takesAnyType?: true
  /**
   * Largest accepted body in bytes; 1 MiB when absent, what JSON_BODY_MAX_SIZE_ANONYMOUS says where
   * `auth` is `none`.
   */
  readonly bodyLimit?: number
  /**
   * The body may hold as many values as JSON_IMPORT_MAX_VALUES says, else as many as
   * JSON_BODY_MAX_VALUES says.
   */
  readonly takesImport?: true
  /**
   * The body is one thing that is stored, which may hold as many values as JSON_RECORD_MAX_VALUES
   * says, as the bodies of all endpoints without a `bodyLimit` do.
   */
  readonly takesRecord?: true
  /**
   * The handler reads the body itself from `call.request`: its media types, for the document.
   * Excludes `body`.
   */
  readonly upload?: { readonly types: readonly string[]; readonly limit: number }
  readonly response: Response
  readonly reply: EndpointReply
  /**
   * Media types of the reply, for the document, where it is not JSON alone or a stream of the
   * dialect.
   */
  readonly replyTypes?: readonly string[]
  readonly summary: string
  /** Adds the error object of a vendor dialect beside `detail` (docs/decisions.md). */
  readonly errorDialect?: 'chat-completions' | 'messages' | 'runtime' | 'scim'
  /** Statuses beyond 401/422 a caller has to expect. */
  readonly errors?: readonly number[]
}

/** Anything that fits the table, whatever its schemas. */
// oxlint-disable-next-line typescript/no-explicit-any -- a table row of unknown schemas; `any` keeps inference of the parts
export type AnyEndpoint = Endpoint<any, any, any, any>

/**
 * What a caller has to send: path parameters, query and body, each only where the row declares one.
 */
export type EndpointInput<E extends AnyEndpoint> = (E['params'] extends z.ZodType
  ? { params: z.input<E['params']> }
  : { params?: undefined }) &
  (E['query'] extends z.ZodType ? { query?: z.input<E['query']> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? { body: z.input<E['body']> } : { body?: undefined })

/** The parsed body of the reply. */
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

/** A row of a group: what it leaves out comes from the group. */
type GroupedRow = Partial<Omit<EndpointRow, 'tag'>> &
  Pick<EndpointRow, 'method' | 'path' | 'summary'>

/** What the rows of a group have in common: `domain` begins their ids, `root` their paths. */
type EndpointGroup = Partial<Omit<EndpointRow, 'id' | 'path' | 'tag'>> & {
  readonly domain: string
  readonly tag: string
  readonly root?: string
}

type Grouped<Group, Row> = WithDefaults<
  Omit<Group, 'domain' | 'root' | keyof Row> & Row & { readonly id: string; readonly path: string }
>

/**
 * Declares endpoints of one domain. The id of a row is its key behind the domain unless it has one
 * of its own.
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
