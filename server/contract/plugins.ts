import { z } from './lazy-zod.ts'
import { idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Most characters of the source of a plugin. */
const LONGEST_SOURCE = 2_000_000

/**
 * Id of a plugin: a Python identifier in lower case (docs/plugin-contract.md). Upper case is made
 * lower.
 */
export const pluginIdSchema = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .transform((id) => id.toLowerCase())

export const pluginContentSchema = z.string().min(1).max(LONGEST_SOURCE)

/** Where a plugin is kept: tools are what models call, functions are filters, pipes and actions. */
export const pluginStoreSchema = z.enum(['tool', 'function'])
export type PluginStoreName = z.output<typeof pluginStoreSchema>

/** `manifest` is the front matter of the source, key by key; what else a client sends is kept. */
export const pluginMetaSchema = z.looseObject({
  description: z.string().max(10_000).nullish(),
  manifest: jsonObjectSchema.optional(),
})

/** Values of the fields a plugin declares. */
export const valvesSchema = jsonObjectSchema
/**
 * JSON schema of these fields; null when the plugin declares none. Fields with `input.type:
 * password` are secrets.
 */
export const valvesSpecSchema = jsonObjectSchema.nullable()

/** What importing a plugin would do, found out without running it. */
export const pluginReportSchema = z
  .object({
    kind: z.enum(['tool', 'pipe', 'filter', 'action', 'event']).nullable(),
    manifest: jsonObjectSchema,
    /** Packages that would be installed. */
    requirements: z.array(z.string()),
    /** Requirement lines that are refused, with the reason. */
    refused: z.array(z.object({ line: z.string(), reason: z.string() })),
    imports: z.array(
      z.object({
        module: z.string(),
        names: z.array(z.string()),
        line: z.number().int(),
        /** Imported within a function, so needed only when that runs. */
        lazy: z.boolean(),
        /** Within a `try`, so the plugin expects that it may be missing. */
        guarded: z.boolean(),
        /**
         * Whether the module is there; `requirement` means it should come with what would be
         * installed.
         */
        found: z.enum(['yes', 'no', 'requirement']),
        /** Names among `names` that are not in the module; they fail when they are used. */
        missing: z.array(z.string()),
      }),
    ),
    /** What a person should know before enabling it, in sentences. */
    warnings: z.array(z.string()),
    /** Why it cannot be loaded at all. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'PluginReport' })
export type PluginReport = z.output<typeof pluginReportSchema>

/** One line a plugin printed or logged. */
const traceLogSchema = z.object({
  stream: z.string(),
  level: z.string().nullable(),
  line: z.string(),
})

/**
 * One call of a tool, or of a hook of a function, as it went. Times in milliseconds; long values
 * are cut. Traces are kept in memory, the oldest make room for new ones, and a restart forgets
 * them.
 */
export const pluginTraceSchema = z
  .object({
    id: z.string(),
    /**
     * `server` stands for a tool of an OpenAPI or MCP server, the others for code of plugins and of
     * the gateway itself.
     */
    store: z.enum(['tool', 'function', 'server']),
    /**
     * Id of the plugin; `builtin:…`, `server:…` and `direct:…` for tools that are no plugins,
     * `pipeline:…` for filters of pipelines servers.
     */
    plugin_id: z.string(),
    /**
     * What was called: the function of a tool, `inlet`, `outlet`, `stream`, `pipe`, or the id of an
     * action.
     */
    hook: z.string(),
    /** Id of the call in the answer (`call_id` of its items), where a model asked for it. */
    call_id: z.string().nullable(),
    user_id: z.string().nullable(),
    chat_id: z.string().nullable(),
    message_id: z.string().nullable(),
    /** Unix milliseconds. */
    started_at: z.number(),
    /** Null while it runs. */
    duration: z.number().nullable(),
    status: z.enum(['running', 'done', 'failed', 'cancelled']),
    /** The arguments of a tool; of a hook, what it was given. */
    input: z.unknown(),
    /** What was sent to the windows or asked there (`{call: …}`). */
    events: z.array(z.unknown()),
    /** What the plugin printed and logged, line by line. */
    logs: z.array(traceLogSchema),
    result: z.unknown(),
    /**
     * `line` is the line of the plugin's source that failed, `missing_package` brings a module that
     * was not there.
     */
    error: z
      .object({
        type: z.string(),
        message: z.string(),
        traceback: z.string().nullable(),
        line: z.number().int().nullable(),
        missing_package: z.string().nullable(),
      })
      .nullable(),
    /**
     * True for whoever may not read the source: prints and tracebacks are left out then, and what a
     * function (`store: function`) was given and gave back, as it may hold instructions of its
     * author.
     */
    is_restricted: z.boolean(),
  })
  .meta({ id: 'PluginTrace' })
export type PluginTrace = z.output<typeof pluginTraceSchema>

const environmentSchema = z
  .object({
    id: z.string(),
    requirements: z.array(z.string()),
    status: z.enum(['waiting', 'installing', 'ready', 'failed']),
    /** Last lines of what the installer said. */
    log: z.array(z.string()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'PluginEnvironment' })
export type PluginEnvironment = z.output<typeof environmentSchema>

const workerSchema = z.object({
  id: z.string(),
  environment_id: z.string(),
  pid: z.number().int().nullable(),
  status: z.enum(['starting', 'ready', 'blocked', 'stopping']),
  plugins: z.array(z.string()),
  calls: z.number().int(),
  /** Resident memory in bytes as the worker last told. */
  memory: z.number().nullable(),
  threads: z.number().int().nullable(),
})

/** The interpreter, the environments and the processes plugins run in. */
export const pluginStateSchema = z
  .object({
    python: z.object({
      status: z.enum(['unknown', 'ready', 'missing']),
      path: z.string().nullable(),
      version: z.string().nullable(),
      /**
       * Exactly what is missing, or why not the Python of the app is used, and what to do about it.
       */
      detail: z.string().nullable(),
    }),
    environments: z.array(environmentSchema),
    workers: z.array(workerSchema),
    /** Plugins that do not run, with the reason. */
    faults: z.array(
      z.object({ store: pluginStoreSchema, plugin_id: z.string(), detail: z.string() }),
    ),
  })
  .meta({ id: 'PluginState' })
export type PluginState = z.output<typeof pluginStateSchema>

/** `store` is `tool` or `function`. */
const pluginParams = z.object({ store: idSchema, plugin_id: idSchema })

export const pluginEndpoints = defineEndpoints(
  { domain: 'plugins', tag: 'Plugins', root: '/api/v1/plugins' },
  {
    state: {
      method: 'GET',
      path: '/state',
      auth: 'admin',
      response: pluginStateSchema,
      summary:
        'The Python interpreter, the environments with their logs, the running workers and what is disabled.',
    },
    inspect: {
      method: 'POST',
      path: '/inspect',
      permission: 'workspace.tools',
      body: z.object({ store: pluginStoreSchema, content: pluginContentSchema }).meta({
        id: 'PluginSource',
        example: {
          store: 'tool',
          content:
            'class Tools:\n    def add(self, a: int, b: int) -> int:\n        return a + b\n',
        },
      }),
      bodyLimit: 8 * 1024 * 1024,
      response: pluginReportSchema,
      errors: [403, 503],
      summary: 'Says what a plugin is and needs, without running it.',
    },
    traces: {
      method: 'GET',
      path: '/traces',
      query: z.object({
        store: z.enum(['tool', 'function', 'server']).optional(),
        plugin_id: idSchema.optional(),
        chat_id: idSchema.optional(),
        message_id: idSchema.optional(),
        call_id: idSchema.optional(),
        limit: z.coerce.number().int().min(1).max(500).default(100),
      }),
      response: z.array(pluginTraceSchema),
      summary:
        'The last calls of tools and of the hooks of functions, newest first: the own ones; administrators see those of everybody while they may read chats of others.',
    },
    run: {
      method: 'POST',
      path: '/:store/:plugin_id/run',
      params: pluginParams,
      body: z
        .object({
          /** The function of a tool, or `inlet`, `outlet`, `pipe` or `action`. */
          hook: z.string().min(1).max(256),
          arguments: jsonObjectSchema.default({}),
        })
        .meta({ id: 'PluginRun', example: { hook: 'add', arguments: { a: 1, b: 2 } } }),
      response: pluginTraceSchema,
      errors: [403, 404, 503],
      summary: 'Runs a plugin once for whoever may change it, and says everything that happened.',
    },
    recover: {
      method: 'POST',
      path: '/:store/:plugin_id/recover',
      auth: 'admin',
      params: pluginParams,
      response: z.literal(true),
      errors: [404],
      summary: 'Lets a plugin run again that was disabled after repeated crashes.',
    },
    install: {
      method: 'POST',
      path: '/environments',
      body: z
        .object({
          store: pluginStoreSchema,
          content: pluginContentSchema,
          /** Packages besides those the front matter of the source asks for. */
          requirements: z.array(z.string().min(1).max(300)).max(64).default([]),
        })
        .meta({
          id: 'PluginInstall',
          example: {
            store: 'tool',
            content:
              'import tiktoken\n\nclass Tools:\n    def count(self, text: str) -> int:\n        return len(tiktoken.get_encoding("o200k_base").encode(text))\n',
            requirements: ['tiktoken'],
          },
        }),
      bodyLimit: 8 * 1024 * 1024,
      response: environmentSchema,
      errors: [400, 401, 403, 429, 503],
      summary:
        'Begins to install what a source needs, before it is saved with these `requirements` in its `meta`. Wheels only, inside the fence.',
    },
    environment: {
      method: 'GET',
      path: '/environments/:environment_id',
      params: z.object({ environment_id: idSchema }),
      response: environmentSchema,
      errors: [404],
      summary:
        'How an installation goes that one asked for; administrators see all of them, with everything the installer says.',
    },
    stopInstalling: {
      method: 'DELETE',
      path: '/environments/:environment_id',
      params: z.object({ environment_id: idSchema }),
      response: z.literal(true),
      errors: [404, 409],
      summary:
        'Stops an installation that is under way; 409 when it is over, and for members while others wait for it as well.',
    },
    reinstall: {
      method: 'POST',
      path: '/environments/:environment_id/install',
      auth: 'admin',
      params: z.object({ environment_id: idSchema }),
      response: z.literal(true),
      errors: [404],
      summary: 'Installs the packages of an environment again; the state shows how it goes.',
    },
  },
)
