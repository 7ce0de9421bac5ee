import { z } from './lazy-zod.ts'
import { doneSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Maximum number of characters of a plugin's source. */
const LONGEST_SOURCE = 2_000_000

/**
 * Id of a plugin: a Python identifier in lower case (docs/plugin-contract.md). Upper case is
 * converted.
 */
export const pluginIdSchema = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .transform((id) => id.toLowerCase())

export const pluginContentSchema = z.string().min(1).max(LONGEST_SOURCE)

/** Store of a plugin: tools are called by models, functions are filters, pipes and actions. */
export const pluginStoreSchema = z.enum(['tool', 'function'])
export type PluginStoreName = z.output<typeof pluginStoreSchema>

/**
 * `manifest` is the front matter of the source, key by key; further fields of a client are kept.
 */
export const pluginMetaSchema = z.looseObject({
  description: z.string().max(10_000).nullish(),
  manifest: jsonObjectSchema.optional(),
})

/** Values of the fields a plugin declares. */
export const valvesSchema = jsonObjectSchema
/**
 * JSON schema of these fields; null if the plugin declares none. Fields with `input.type: password`
 * are secrets.
 */
export const valvesSpecSchema = jsonObjectSchema.nullable()

/** Effects of importing a plugin, determined without running it. */
export const pluginReportSchema = z
  .object({
    kind: z.enum(['tool', 'pipe', 'filter', 'action', 'event']).nullable(),
    manifest: jsonObjectSchema,
    /** Packages that would be installed. */
    requirements: z.array(z.string()),
    /** Rejected requirement lines, with the reason. */
    refused: z.array(z.object({ line: z.string(), reason: z.string() })),
    imports: z.array(
      z.object({
        module: z.string(),
        names: z.array(z.string()),
        line: z.int(),
        /** True if it is imported within a function, and therefore needed only when that runs. */
        lazy: z.boolean(),
        /** True if it is imported within a `try`, so that the plugin handles its absence. */
        guarded: z.boolean(),
        /**
         * Availability of the module; `requirement` means that it should be installed with the
         * requirements.
         */
        found: z.enum(['yes', 'no', 'requirement']),
        /** Entries of `names` that the module does not contain; they fail when used. */
        missing: z.array(z.string()),
      }),
    ),
    /** Warnings for the user before enabling it, as sentences. */
    warnings: z.array(z.string()),
    /** Reason why it cannot be loaded at all. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'PluginReport' })
export type PluginReport = z.output<typeof pluginReportSchema>

/** One line printed or logged by a plugin. */
const traceLogSchema = z.object({
  stream: z.string(),
  level: z.string().nullable(),
  line: z.string(),
})

/**
 * Trace of one call of a tool, or of a hook of a function. Times are in milliseconds; long values
 * are truncated. Traces are kept in memory, the oldest are replaced by new ones, and a restart
 * discards them.
 */
export const pluginTraceSchema = z
  .object({
    id: z.string(),
    /**
     * `server` is a tool of an OpenAPI or MCP server, the others are code of plugins and of the
     * gateway itself.
     */
    store: z.enum(['tool', 'function', 'server']),
    /**
     * Id of the plugin; `builtin:…`, `server:…` and `direct:…` for tools that are not plugins,
     * `pipeline:…` for filters of pipelines servers.
     */
    plugin_id: z.string(),
    /**
     * Name of the called function of a tool, `inlet`, `outlet`, `stream`, `pipe`, or the id of an
     * action.
     */
    hook: z.string(),
    /** Id of the call in the answer (`call_id` of its items), if a model requested it. */
    call_id: z.string().nullable(),
    user_id: z.string().nullable(),
    chat_id: z.string().nullable(),
    message_id: z.string().nullable(),
    /** Unix milliseconds. */
    started_at: z.number(),
    /** Null while it is running. */
    duration: z.number().nullable(),
    status: z.enum(['running', 'done', 'failed', 'cancelled']),
    /** Arguments of a tool; input of a hook. */
    input: z.unknown(),
    /** Events sent to the windows, and calls to them (`{call: …}`). */
    events: z.array(z.unknown()),
    /** Lines the plugin printed and logged. */
    logs: z.array(traceLogSchema),
    result: z.unknown(),
    /**
     * `line` is the failing line of the plugin's source, `missing_package` the package that
     * provides a missing module.
     */
    error: z
      .object({
        type: z.string(),
        message: z.string(),
        traceback: z.string().nullable(),
        line: z.int().nullable(),
        missing_package: z.string().nullable(),
      })
      .nullable(),
    /**
     * True for callers who may not read the source: printed lines and tracebacks are then left out,
     * and so are the input and result of a function (`store: function`), which may contain
     * instructions of its author.
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
    /** Last lines of the installer's output. */
    log: z.array(z.string()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'PluginEnvironment' })
export type PluginEnvironment = z.output<typeof environmentSchema>

const workerSchema = z.object({
  id: z.string(),
  environment_id: z.string(),
  pid: z.int().nullable(),
  status: z.enum(['starting', 'ready', 'blocked', 'stopping']),
  plugins: z.array(z.string()),
  calls: z.int(),
  /** Resident memory in bytes, as last reported by the worker. */
  memory: z.number().nullable(),
  threads: z.int().nullable(),
})

/** The interpreter, the environments and the processes in which plugins run. */
export const pluginStateSchema = z
  .object({
    python: z.object({
      status: z.enum(['unknown', 'ready', 'missing']),
      path: z.string().nullable(),
      version: z.string().nullable(),
      /** Missing component, or the reason why the app's Python is not used, with the remedy. */
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
      summary: 'Describes a plugin and its requirements without running it.',
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
        'The last calls of tools and of the hooks of functions, newest first: own ones; administrators see those of all users while they may read chats of others.',
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
      summary: 'Runs a plugin once, for callers who may change it, and reports each step.',
    },
    recover: {
      method: 'POST',
      path: '/:store/:plugin_id/recover',
      auth: 'admin',
      params: pluginParams,
      response: doneSchema,
      errors: [404],
      summary: 'Enables a plugin that was disabled after repeated crashes.',
    },
    install: {
      method: 'POST',
      path: '/environments',
      body: z
        .object({
          store: pluginStoreSchema,
          content: pluginContentSchema,
          /** Packages in addition to those the front matter of the source requires. */
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
        'Starts to install the requirements of a source before it is saved with these `requirements` in its `meta`. Wheels only, inside the sandbox.',
    },
    environment: {
      method: 'GET',
      path: '/environments/:environment_id',
      params: z.object({ environment_id: idSchema }),
      response: environmentSchema,
      errors: [404],
      summary:
        'Progress of an installation the caller started; administrators see all of them, with the full output of the installer.',
    },
    stopInstalling: {
      method: 'DELETE',
      path: '/environments/:environment_id',
      params: z.object({ environment_id: idSchema }),
      response: doneSchema,
      errors: [404, 409],
      summary:
        'Stops a running installation; 409 if it has ended, and for members while other users wait for it too.',
    },
    reinstall: {
      method: 'POST',
      path: '/environments/:environment_id/install',
      auth: 'admin',
      params: z.object({ environment_id: idSchema }),
      response: doneSchema,
      errors: [404],
      summary: 'Installs the packages of an environment again; the state shows the progress.',
    },
  },
)
