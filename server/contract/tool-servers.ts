import { z } from './lazy-zod.ts'
import { accessControlSchema, accessGrantSchema } from './access.ts'
import { doneSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const MOST_SERVERS = 200
const LONGEST_TEXT = 8192

/** Placeholder of a stored secret that is not shown; sent back, it keeps the stored one. */
export const SECRET_MASK = '********'

/**
 * Id of a tool server: the suffix of `server:<id>` and `server:mcp:<id>`, and the prefix of its
 * tools' names.
 */
const serverIdSchema = z
  .string()
  .trim()
  .max(64)
  .regex(/^[\w.-]*$/, 'may contain letters, digits, _ . and - only')

/**
 * Approval mode for tools: the user is never asked, asked before calls that may change something,
 * or before every call.
 */
export const toolApprovalSchema = z.enum(['never', 'changes', 'always'])
export type ToolApprovalMode = z.output<typeof toolApprovalSchema>

const headersSchema = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'is not a header name'),
  z
    .string()
    .max(4096)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'contains characters a header cannot carry'),
)

const environmentSchema = z.record(
  z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'is not the name of a variable'),
  z
    .string()
    .max(LONGEST_TEXT)
    .regex(/^[^\0]*$/, 'contains a zero character'),
)
const argumentSchema = z
  .string()
  .max(LONGEST_TEXT)
  .regex(/^[^\0]*$/, 'contains a zero character')

const configSchema = z.looseObject({
  enable: z.boolean().default(true),
  /** Users who may use its tools; an empty list means administrators only. */
  access_grants: z.array(accessGrantSchema).max(2000).nullish(),
  access_control: accessControlSchema.optional(),
  /**
   * Comma-separated tool names: tools whose names end with one are offered, `!name` excludes. Empty
   * to offer all.
   */
  function_name_filter_list: z.string().max(20_000).default(''),
  /** If absent, the setting TOOL_APPROVAL applies. */
  approval: toolApprovalSchema.nullish(),
})

const infoSchema = z.looseObject({
  id: serverIdSchema.default(''),
  name: z.string().trim().max(200).default(''),
  description: z.string().max(10_000).default(''),
  /** Response of `oauth/clients/register`, encrypted. */
  oauth_client_info: z.string().max(100_000).nullish(),
})

/**
 * Tool server as administrators define it; `command` is an extension: a local program that speaks
 * MCP.
 */
export const toolServerInputSchema = z
  .looseObject({
    type: z.enum(['openapi', 'mcp']).default('openapi'),
    /** Base URL; empty for a program. */
    url: z.string().trim().max(2048).default(''),
    /** URL of the OpenAPI description: relative to `url`, or absolute. */
    path: z.string().trim().max(2048).default('openapi.json'),
    auth_type: z
      .enum(['none', 'bearer', 'session', 'system_oauth', 'oauth_2.1', 'oauth_2.1_static'])
      .default('bearer'),
    key: z.string().max(LONGEST_TEXT).default(''),
    headers: headersSchema.nullish(),
    config: configSchema.prefault({}),
    info: infoSchema.prefault({}),
    /** Source of the description: fetched from its URL, or the text in `spec`. */
    spec_type: z.enum(['url', 'json']).default('url'),
    spec: z.string().max(4_000_000).default(''),
    /**
     * Program of a server that is started here and communicates over its standard streams; a name
     * or a full path.
     */
    command: z.string().trim().max(1024).default(''),
    args: z.array(argumentSchema).max(200).default([]),
    env: environmentSchema.default({}),
  })
  .meta({
    id: 'ToolServerInput',
    example: {
      type: 'openapi',
      url: 'http://127.0.0.1:8200',
      auth_type: 'none',
      info: { id: 'weather', name: 'Weather' },
    },
  })
/** Allowed content of TOOL_SERVER_CONNECTIONS. */
export const toolServerListSchema = z.array(toolServerInputSchema).max(MOST_SERVERS)
export type ToolServerInput = z.output<typeof toolServerInputSchema>

/** Stored tool server; key, headers other than placeholders, and variables read as `********`. */
export const toolServerSchema = z
  .object({
    type: z.enum(['openapi', 'mcp']),
    url: z.string(),
    path: z.string(),
    auth_type: z.string(),
    key: z.string(),
    headers: z.record(z.string(), z.string()),
    config: z.object({
      enable: z.boolean(),
      access_grants: z.array(accessGrantSchema),
      access_control: accessControlSchema,
      function_name_filter_list: z.string(),
      approval: toolApprovalSchema.nullable(),
    }),
    info: z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      oauth_client_info: z.string().nullable(),
    }),
    spec_type: z.string(),
    spec: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    /** An administrator's list, or TOOL_SERVER_CONNECTIONS. */
    origin: z.enum(['stored', 'environment']),
  })
  .meta({ id: 'ToolServer' })
export type ToolServer = z.output<typeof toolServerSchema>

const connectionsSchema = z
  .object({ TOOL_SERVER_CONNECTIONS: z.array(toolServerSchema) })
  .meta({ id: 'ToolServers' })

const functionSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonObjectSchema,
})

/** State of a tool server, for administrators. Times are unix seconds. */
export const toolServerStateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(['unknown', 'ok', 'failed', 'changed', 'disabled']),
    /** Remedy if it failed, or the change since it was approved, in one sentence. */
    detail: z.string().nullable(),
    /** Error code of the failure, such as `tool_server_refused`; null if none is known. */
    code: z.string().nullable(),
    checked_at: z.int().nullable(),
    tools: z.array(functionSchema),
    /** Names of tools that are new or changed since the server was approved. */
    changed_tools: z.array(z.string()),
    /** Sent back to approve exactly the displayed tools; null if there is nothing to approve. */
    fingerprint: z.string().nullable(),
    /** Number of open connections, one for each user. */
    sessions: z.int(),
  })
  .meta({ id: 'ToolServerState' })
export type ToolServerState = z.output<typeof toolServerStateSchema>

/** Stored decision on whether a tool may run. `chat_id` null means in every chat. */
export const toolAnswerSchema = z
  .object({
    tool: z.string(),
    chat_id: z.string().nullable(),
    decision: z.enum(['allow', 'deny']),
    created_at: z.int(),
  })
  .meta({ id: 'ToolAnswer' })

const root = '/api/v1/tool_servers'
const params = z.object({ server_id: idSchema })
const clientParams = z.object({ client_id: idSchema })
const LIST_LIMIT = 16 * 1024 * 1024

export const toolServerEndpoints = defineEndpoints(
  { domain: 'toolServers', tag: 'Tool servers' },
  {
    list: {
      method: 'GET',
      path: '/api/v1/configs/tool_servers',
      auth: 'admin',
      response: connectionsSchema,
      summary: 'The tool servers, without their secrets.',
    },
    replace: {
      method: 'POST',
      path: '/api/v1/configs/tool_servers',
      auth: 'admin',
      body: z.object({ TOOL_SERVER_CONNECTIONS: toolServerListSchema }),
      bodyLimit: LIST_LIMIT,
      response: connectionsSchema,
      errors: [400, 403],
      summary:
        'Replaces the list of tool servers; one without an id gets its place in the list as id. Programs need a signed-in administrator.',
    },
    verify: {
      method: 'POST',
      path: '/api/v1/configs/tool_servers/verify',
      auth: 'admin',
      body: toolServerInputSchema,
      bodyLimit: LIST_LIMIT,
      response: z.looseObject({}),
      errors: [400, 403],
      summary:
        'Tries a tool server: its description, its tools, or where its sign-in is. Nothing is stored.',
    },
    register: {
      method: 'POST',
      path: '/api/v1/configs/oauth/clients/register',
      auth: 'admin',
      query: z.object({ type: z.enum(['mcp']).default('mcp') }),
      body: z
        .object({
          url: z.string().trim().min(1).max(2048),
          client_id: serverIdSchema.pipe(z.string().min(1)),
          client_name: z.string().max(200).nullish(),
          client_secret: z.string().max(LONGEST_TEXT).nullish(),
          oauth_client_id: z.string().max(2048).nullish(),
          oauth_server_url: z.string().trim().max(2048).nullish(),
          oauth_scope: z.string().max(2000).nullish(),
          /**
           * Resource for which tokens are requested: as the server states it, its URL, none, or a
           * separate URL.
           */
          oauth_resource: z.string().trim().max(2048).nullish(),
        })
        .meta({
          id: 'ToolServerClient',
          example: { url: 'https://tools.example.org/mcp', client_id: 'issues' },
        }),
      response: z.object({ status: z.literal(true), oauth_client_info: z.string() }),
      errors: [400],
      summary:
        'Registers the gateway with the sign-in of an MCP server; the answer goes into `info.oauth_client_info` of the server.',
    },
    states: {
      method: 'GET',
      path: root,
      auth: 'admin',
      query: z.object({ refresh: z.stringbool().optional() }),
      response: z.array(toolServerStateSchema),
      summary: 'State and tools of each tool server; `refresh` queries them all.',
    },
    import: {
      method: 'POST',
      path: `${root}/import`,
      auth: 'admin',
      body: jsonObjectSchema.meta({
        example: {
          mcpServers: {
            memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
          },
        },
      }),
      response: z.object({ connections: z.array(toolServerSchema), problems: z.array(z.string()) }),
      errors: [400],
      summary:
        'Converts the usual JSON with `mcpServers` to connections for review; nothing is stored.',
    },
    answers: {
      method: 'GET',
      path: `${root}/answers`,
      response: z.array(toolAnswerSchema),
      summary: 'Stored permissions of the caller for tools.',
    },
    forgetAnswers: {
      method: 'DELETE',
      path: `${root}/answers`,
      query: z.object({ tool: z.string().max(512).optional() }),
      response: doneSchema,
      summary:
        'Deletes stored permissions for tools, all or those of one tool; the caller is asked again.',
    },
    introspect: {
      method: 'POST',
      path: `${root}/introspect`,
      auth: 'none',
      body: z.object({ token: z.string().max(4096), audience: z.string().max(2048) }),
      response: z.looseObject({ active: z.boolean() }),
      summary:
        'For tool servers with `session` sign-in: returns the user of a short-lived token that was issued for the URL of the server.',
    },
    approve: {
      method: 'POST',
      path: `${root}/:server_id/approve`,
      auth: 'admin',
      params,
      body: z.object({ fingerprint: z.string().max(128) }),
      response: toolServerStateSchema,
      errors: [403, 404, 409],
      summary:
        'Approves the changed tools of a server, so that it is used again; 409 if they have changed since they were shown.',
    },
    log: {
      method: 'GET',
      path: `${root}/:server_id/log`,
      auth: 'admin',
      params,
      response: z.array(z.object({ at: z.number(), line: z.string() })),
      errors: [404],
      summary: 'The last lines a tool server wrote. Unix milliseconds.',
    },
    signOut: {
      method: 'DELETE',
      path: `${root}/:server_id/sign_in`,
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Deletes the stored sign-in of the caller at a tool server.',
    },
    frame: {
      method: 'GET',
      path: `${root}/frame`,
      opensByCookie: true,
      permission: 'features.direct_tool_servers',
      reply: 'stream',
      replyTypes: ['text/html'],
      response: z.unknown(),
      errors: [403],
      summary:
        'An empty document of the interface that may reach the tool servers of the caller, and nothing else, by its policy.',
    },
    authorize: {
      method: 'GET',
      path: '/oauth/clients/:client_id/authorize',
      params: clientParams,
      // A page requests the URL: it authenticates by a header, which a link cannot carry.
      query: z.object({ answer: z.enum(['redirect', 'json']).optional() }),
      reply: 'stream',
      replyTypes: ['text/html', 'application/json'],
      response: z.object({ address: z.string() }),
      errors: [302, 400, 404],
      summary:
        'Redirects the caller to the sign-in of a tool server, or returns its URL (`answer=json`); the id is `mcp:<server id>`.',
    },
    callback: {
      method: 'GET',
      path: '/oauth/clients/:client_id/callback',
      // The desktop app opens external pages in the system's browser, which has no session.
      auth: 'none',
      // Another site redirects here, so there is no header; the rest of the proof is the state,
      // which only the initiating page received.
      opensByCookie: true,
      params: clientParams,
      query: z.object({
        code: z.string().max(8192).optional(),
        state: z.string().max(512).optional(),
        iss: z.string().max(2048).optional(),
        error: z.string().max(512).optional(),
        error_description: z.string().max(4096).optional(),
      }),
      reply: 'stream',
      replyTypes: ['text/html'],
      response: z.unknown(),
      errors: [302, 404],
      summary:
        'Callback of the sign-in at a tool server; the caller must be the one who started it.',
    },
  },
)
