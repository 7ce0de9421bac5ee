import { z } from './lazy-zod.ts'
import { flagSchema, idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const MEBIBYTE = 1024 * 1024

/** Release of the Python runtime, which is part of the URL of its files. */
export const PYODIDE_VERSION = '314.0.7'

/**
 * Files of the runtime itself; package wheels are located beside them once an administrator has
 * fetched them.
 */
export const RUNTIME_FILES = Object.freeze([
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'python_stdlib.zip',
  'pyodide-lock.json',
] as const)

/**
 * URL of the files of a runtime in a window: the `indexURL` of Pyodide. The page fetches them and
 * passes them to the frame that runs code.
 */
export const RUNTIME_FOLDER = `/api/v1/code/runtime/${PYODIDE_VERSION}/`

/** Packages offered in addition to the standard library, by their import names. */
export const CODE_PACKAGES = Object.freeze([
  'numpy',
  'pandas',
  'matplotlib',
  'PIL',
  'sklearn',
] as const)

const textSetting = z.string().max(10_000)
const secondsSetting = z.int().min(1).max(86_400)

/**
 * Code settings, the 15 names of the reference system. Passwords and tokens are returned to
 * administrators, as in the reference system.
 */
export const codeConfigSchema = z
  .object({
    ENABLE_CODE_EXECUTION: z.boolean(),
    /** `pyodide` or `jupyter`. */
    CODE_EXECUTION_ENGINE: textSetting,
    CODE_EXECUTION_JUPYTER_URL: textSetting.nullable(),
    /** `none` (also ''), `token` or `password`. */
    CODE_EXECUTION_JUPYTER_AUTH: textSetting.nullable(),
    CODE_EXECUTION_JUPYTER_AUTH_TOKEN: textSetting.nullable(),
    CODE_EXECUTION_JUPYTER_AUTH_PASSWORD: textSetting.nullable(),
    CODE_EXECUTION_JUPYTER_TIMEOUT: secondsSetting.nullable(),
    ENABLE_CODE_INTERPRETER: z.boolean(),
    CODE_INTERPRETER_ENGINE: textSetting,
    /** Empty to use the gateway's prompt. */
    CODE_INTERPRETER_PROMPT_TEMPLATE: z.string().max(100_000).nullable(),
    CODE_INTERPRETER_JUPYTER_URL: textSetting.nullable(),
    CODE_INTERPRETER_JUPYTER_AUTH: textSetting.nullable(),
    CODE_INTERPRETER_JUPYTER_AUTH_TOKEN: textSetting.nullable(),
    CODE_INTERPRETER_JUPYTER_AUTH_PASSWORD: textSetting.nullable(),
    CODE_INTERPRETER_JUPYTER_TIMEOUT: secondsSetting.nullable(),
  })
  .meta({ id: 'CodeExecutionConfig' })
export type CodeConfig = z.output<typeof codeConfigSchema>

/** File of the user, which code finds as `/mnt/uploads/<name>` or has written there. */
export const codeFileSchema = z.object({
  id: idSchema,
  name: z.string().min(1).max(255),
  type: z.string().max(255).optional(),
  size: z.number().optional(),
})
export type CodeFile = z.output<typeof codeFileSchema>

/**
 * Error raised by Python. `line` is the line of the cell, from 1; null if the error is located
 * elsewhere.
 */
export const codeErrorSchema = z.object({
  name: z.string().max(1000),
  message: z.string().max(100_000),
  line: z.int().min(1).nullable(),
  /** Traceback without the lines of the runtime itself. */
  traceback: z.string().max(200_000),
})
export type CodeError = z.output<typeof codeErrorSchema>

/**
 * End states of a run: `ok`; `error`, raised by Python; `stopped` by the user; `timeout`; `memory`,
 * limit exceeded or process lost without a message; `failed`, the engine could not run it. All but
 * the first two leave the state of the chat empty.
 */
export const CODE_STATUSES = Object.freeze([
  'ok',
  'error',
  'stopped',
  'timeout',
  'memory',
  'failed',
] as const)

/** Result of a run. Output beyond CODE_OUTPUT_LIMIT is truncated, which its last line states. */
export const codeResultSchema = z
  .object({
    id: idSchema,
    status: z.enum(CODE_STATUSES),
    stdout: z.string(),
    /** Ends with the traceback, or with a message that states why the run was ended. */
    stderr: z.string(),
    /** Value of the last expression as text, or null. */
    result: z.string().nullable(),
    error: codeErrorSchema.nullable(),
    /** Files of the user that code wrote or changed below `/mnt/uploads`. */
    files: z.array(codeFileSchema),
    /** URLs of images (`/api/v1/files/<id>/content`), or data URIs if nothing was stored. */
    pictures: z.array(z.string()),
    /** Value as an HTML table, created only by pandas; must be shown in a frame without scripts. */
    html: z.string().nullable(),
    engine: z.enum(['window', 'gateway', 'jupyter']),
    seconds: z.number(),
  })
  .meta({ id: 'CodeResult' })
export type CodeResult = z.output<typeof codeResultSchema>

/**
 * Request of the gateway to a window to run code, the data of the call `execute:python`. The window
 * answers with `codeAnswerSchema` and stops on `call:cancel`; it ends a run itself after `timeout`
 * seconds.
 */
export interface PythonCall {
  readonly id: string
  readonly code: string
  readonly session_id: string
  /**
   * Files to copy into `/mnt/uploads` before the code runs, by `GET /api/v1/files/<id>/content`.
   */
  readonly files: readonly CodeFile[]
  /** Time limit in seconds. */
  readonly timeout: number
}

/**
 * Answer of a window to `execute:python`. The reference system's answer, `{stdout, stderr,
 * result}`, is sufficient; `stdout` may then contain images as lines of data URIs. A frame is at
 * most 1 MiB, so windows upload files and images and answer with their ids.
 */
export const codeAnswerSchema = z.looseObject({
  status: z.enum(CODE_STATUSES).optional(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
  result: z.unknown().optional(),
  error: codeErrorSchema.nullish(),
  files: z.array(codeFileSchema).max(100).optional(),
  /** URLs of uploaded files, or data URIs of images of less than 64 KiB. */
  pictures: z.array(z.string().max(100_000)).max(100).optional(),
  html: z.string().max(200_000).nullish(),
})
export type CodeAnswer = z.output<typeof codeAnswerSchema>

/** Package, with a flag for the presence of its files in the data folder. */
const codePackageSchema = z.object({
  name: z.string(),
  /** Names by which code imports it. */
  imports: z.array(z.string()),
  version: z.string(),
  /** Size of the package with its dependencies in bytes; null before it was fetched. */
  size: z.number().nullable(),
  installed: z.boolean(),
})

const packagesStateSchema = z
  .object({
    packages: z.array(codePackageSchema),
    /**
     * URL from which packages are fetched (CODE_PACKAGES_URL); empty only for administrators who
     * have not set it.
     */
    source: z.string(),
    download: z
      .object({
        file: z.string(),
        done: z.int(),
        total: z.int(),
        bytes: z.number(),
      })
      .nullable()
      .meta({ description: 'The download under way.' }),
    /** Reason why the last download ended early. */
    error: z.string().nullable(),
  })
  .meta({ id: 'CodePackages' })
export type CodePackagesState = z.output<typeof packagesStateSchema>

export const codeStateSchema = z
  .object({
    execution: z.object({ enabled: z.boolean(), engine: z.string() }),
    interpreter: z.object({ enabled: z.boolean(), engine: z.string() }),
    /**
     * Availability of a gateway process for code without a window, with the reason if there is
     * none.
     */
    gateway: z.object({
      available: z.boolean(),
      fenced: z.boolean(),
      sentence: z.string().nullable(),
    }),
    limits: z.object({
      seconds: z.number(),
      memory: z.number(),
      output: z.number(),
      file: z.number(),
    }),
    pyodide: z.object({ version: z.string(), folder: z.string() }),
    installed: z.array(z.string()).meta({ description: 'Names of packages that can be imported.' }),
    /** Process of the requested chat. */
    process: z.object({
      state: z.enum(['none', 'loading', 'idle', 'running']),
      run_id: z.string().nullable(),
    }),
  })
  .meta({ id: 'CodeState' })
export type CodeState = z.output<typeof codeStateSchema>

const runCodeSchema = z
  .object({
    /** Chosen by the caller, so that the run can be stopped. */
    id: idSchema.optional(),
    code: z.string().max(MEBIBYTE),
    /**
     * Chat whose variables the code sees; without one it runs in a separate process, which ends
     * with the run.
     */
    chat_id: idSchema.optional(),
    message_id: idSchema.optional(),
    /**
     * Window that receives `code:progress` {run_id, phase: 'queued' | 'loading' | 'running', text}.
     */
    session_id: z.string().max(256).optional(),
    files: z.array(codeFileSchema).max(100).optional(),
  })
  .meta({ id: 'RunCode', example: { code: 'print(6 * 7)' } })

/** Request and response of older clients. */
const executedSchema = z
  .object({ stdout: z.string(), stderr: z.string(), result: z.string() })
  .meta({ id: 'ExecutedCode' })

const ofChat = z.object({ chat_id: idSchema.optional() })

export const codeEndpoints = defineEndpoints(
  { domain: 'code', tag: 'Code', root: '/api/v1' },
  {
    config: {
      method: 'GET',
      path: '/configs/code_execution',
      auth: 'admin',
      response: codeConfigSchema,
      summary: 'Settings for running code: engines, servers and the prompt of the interpreter.',
    },
    updateConfig: {
      method: 'POST',
      path: '/configs/code_execution',
      auth: 'admin',
      body: codeConfigSchema,
      response: codeConfigSchema,
      errors: [400],
      summary: 'Changes the settings for running code; all 15 fields are required.',
    },
    verify: {
      method: 'POST',
      path: '/code/verify',
      auth: 'admin',
      body: z.object({ kind: z.enum(['execution', 'interpreter']) }),
      response: codeResultSchema,
      errors: [400],
      summary: 'Runs `print(6 * 7)` with the current engine and returns the result.',
    },
    execute: {
      method: 'POST',
      path: '/utils/code/execute',
      bodyLimit: 2 * MEBIBYTE,
      body: z
        .object({ code: z.string().max(MEBIBYTE) })
        .meta({ id: 'ExecuteCode', example: { code: 'print(6 * 7)' } }),
      response: executedSchema,
      errors: [400, 403],
      summary: 'Runs Python on the Jupyter server; failures are described in stderr.',
    },
    state: {
      method: 'GET',
      path: '/code',
      query: ofChat,
      response: codeStateSchema,
      errors: [404],
      summary: 'The engine that runs code, its limits, and the process of a chat.',
    },
    run: {
      method: 'POST',
      path: '/code/runs',
      bodyLimit: 2 * MEBIBYTE,
      body: runCodeSchema,
      response: codeResultSchema,
      errors: [400, 403, 404, 409, 503],
      summary:
        'Runs Python in a process of the gateway, or on the Jupyter server, and waits for the result.',
    },
    stop: {
      method: 'POST',
      path: '/code/runs/:id/stop',
      params: z.object({ id: idSchema }),
      response: z.object({ status: z.boolean() }),
      errors: [404],
      summary: 'Stops a run; its chat loses its variables.',
    },
    forget: {
      method: 'DELETE',
      path: '/code',
      query: z.object({ chat_id: idSchema }),
      response: z.object({ status: z.boolean() }),
      errors: [404],
      summary: 'Ends the process of a chat, and its variables with it.',
    },
    packages: {
      method: 'GET',
      path: '/code/packages',
      auth: 'admin',
      response: packagesStateSchema,
      summary: 'The packages that code may import, and the current download.',
    },
    fetchPackages: {
      method: 'POST',
      path: '/code/packages',
      auth: 'admin',
      body: z.object({ names: z.array(z.string().max(100)).max(50).optional() }),
      response: packagesStateSchema,
      errors: [400, 409],
      summary:
        'Starts to download packages, by default all that are offered; continues after the response.',
    },
    stopPackages: {
      method: 'DELETE',
      path: '/code/packages',
      auth: 'admin',
      query: z.object({ remove: flagSchema.optional() }),
      response: packagesStateSchema,
      summary: 'Cancels the download; `remove` also deletes the downloaded files.',
    },
    runtimeFile: {
      method: 'GET',
      path: '/code/runtime/:version/:file',
      reply: 'stream',
      params: z.object({ version: z.string().max(50), file: z.string().max(200) }),
      response: z.unknown(),
      replyTypes: ['text/javascript', 'application/wasm', 'application/zip', 'application/json'],
      errors: [404],
      summary: 'A file of the Python runtime or of a fetched package, for runtimes in windows.',
    },
  },
)

/** Messages about the limits of a run, identical wherever it ran. */
export const CODE_SENTENCES = Object.freeze({
  timeout: (seconds: number): string =>
    `The code was stopped after the time limit of ${seconds} seconds. Its variables are lost.`,
  stopped: 'The code was stopped. Its variables are lost.',
  memory: 'The code was stopped because it used too much memory. Its variables are lost.',
  closed: 'The window that ran the code was closed.',
})
