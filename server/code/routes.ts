import { statSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import {
  PYODIDE_VERSION,
  RUNTIME_FILES,
  RUNTIME_FOLDER,
  type CodeResult,
  type CodeState,
} from '#contract/code.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import { isTemporary } from '../lib/is-temporary.ts'
import { badRequest, conflict, forbidden, notFound } from '../lib/errors.ts'
import { httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { sendFile } from '../lib/serving/send-file.ts'
import type { NamedRuns } from '../live/index.ts'
import type { Packages } from './packages.ts'
import { readCodeConfig, updateCodeConfig } from './read-settings.ts'
import type { CodeOrder } from './run-code.ts'
import type { CellPlaces } from './runner/places.ts'
import type { CellPlace, Phase } from './runner/runners.ts'
import type { CodeSettings } from './code-settings.ts'

interface RouteParts {
  readonly settings: CodeSettings
  readonly chats: Pick<Chats, 'ownerOf'>
  readonly events: Pick<Events, 'emitTo' | 'hasSession'>
  /** Returns the state of the process or the kernel of a chat. */
  readonly stateOf: (place: CellPlace) => CodeState['process']
  readonly forget: (place: CellPlace) => Promise<boolean>
  readonly packages: Packages
  readonly places: CellPlaces
  readonly run: (order: CodeOrder) => Promise<CodeResult>
  readonly named: NamedRuns
  readonly runtimeFolder: string
}

const MEBIBYTE = 1024 * 1024
const DISABLED = 'Code execution is disabled'
const TEST = 'print(6 * 7)'
const PHASES: Readonly<Record<Phase, string>> = {
  queued: 'Waiting for a process…',
  loading: 'Loading Python…',
  running: 'Running…',
}
const TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.zip': 'application/zip',
  '.json': 'application/json; charset=utf-8',
  '.whl': 'application/zip',
}

type RunInput = z.output<typeof endpoints.code.run.body>

export function createCodeRoutes(parts: RouteParts): Route[] {
  return [...settingRoutes(parts), ...runRoutes(parts), ...packageRoutes(parts)]
}

function settingRoutes({ settings, run }: RouteParts): Route[] {
  const order = (
    caller: Caller,
    use: CodeOrder['use'],
    code: string,
    signal: AbortSignal,
  ): CodeOrder => ({
    id: newId(),
    use,
    userId: caller.userId,
    chatId: null,
    code,
    files: [],
    signal,
    window: null,
  })
  return [
    route(endpoints.code.config, () => readCodeConfig(settings)),
    route(endpoints.code.updateConfig, ({ body }) => updateCodeConfig(settings, body)),
    route(endpoints.code.verify, ({ caller, body, signal }) =>
      run(order(caller, body.kind === 'execution' ? 'EXECUTION' : 'INTERPRETER', TEST, signal)),
    ),
    route(endpoints.code.execute, async ({ caller, body, signal }) => {
      if (!settings.get('ENABLE_CODE_EXECUTION')) throw forbidden(DISABLED, { code: 'feature_off' })
      if (settings.get('CODE_EXECUTION_ENGINE') !== 'jupyter')
        throw badRequest(
          'The engine of code runs in windows, not on a server. Use POST /api/v1/code/runs.',
          { code: 'no_server_engine' },
        )
      const { stdout, stderr, result, pictures } = await run({
        ...order(caller, 'EXECUTION', body.code, signal),
        keepsNothing: true,
      })
      return {
        stdout,
        stderr,
        result: [result, ...pictures].filter((each) => each !== null && each !== '').join('\n'),
      }
    }),
  ]
}

async function describeState(
  { settings, stateOf, packages, places }: RouteParts,
  place: CellPlace,
): Promise<CodeState> {
  const sentence = await places.refusal()
  const use = (name: 'EXECUTION' | 'INTERPRETER') => ({
    enabled: settings.get(`ENABLE_CODE_${name}`),
    engine: settings.get(`CODE_${name}_ENGINE`),
  })
  return {
    execution: use('EXECUTION'),
    interpreter: use('INTERPRETER'),
    gateway: { available: sentence === null, fenced: await places.isFenced(), sentence },
    limits: {
      seconds: settings.get('CODE_TIMEOUT'),
      memory: settings.get('CODE_MEMORY_LIMIT') * MEBIBYTE,
      output: settings.get('CODE_OUTPUT_LIMIT') * 1024,
      file: settings.get('CODE_FILE_LIMIT') * MEBIBYTE,
    },
    pyodide: { version: PYODIDE_VERSION, folder: RUNTIME_FOLDER },
    installed: packages.installed(),
    process: stateOf(place),
  }
}

/** Notifies the window that started a run of its phase. */
const tellPhase =
  (events: RouteParts['events'], { userId }: Caller, runId: string, body: RunInput) =>
  (phase: Phase): void => {
    const { session_id: session, chat_id = null, message_id = null } = body
    if (session === undefined || !events.hasSession(session, userId)) return
    events.emitTo(session, userId, {
      chat_id,
      message_id,
      data: { type: 'code:progress', data: { run_id: runId, phase, text: PHASES[phase] } },
    })
  }

function runRoutes(parts: RouteParts): Route[] {
  const { settings, chats, events, forget, run, named } = parts
  const requireChat = async (caller: Caller, chatId: string | undefined): Promise<void> => {
    if (
      chatId === undefined ||
      isTemporary(chatId) ||
      (await chats.ownerOf(chatId)) === caller.userId
    )
      return
    throw notFound('There is no chat with this id.')
  }
  return [
    route(endpoints.code.state, async ({ caller, query }) => {
      await requireChat(caller, query.chat_id)
      return describeState(parts, { userId: caller.userId, chatId: query.chat_id ?? null })
    }),
    route(endpoints.code.run, async ({ caller, body, signal }) => {
      if (!settings.get('ENABLE_CODE_EXECUTION')) throw forbidden(DISABLED, { code: 'feature_off' })
      await requireChat(caller, body.chat_id)
      const id = body.id ?? newId()
      const naming = { userId: caller.userId, name: id }
      if (named.has(naming)) throw conflict('A run with this id is in progress.')
      const controller = new AbortController()
      named.begin(naming, () => controller.abort())
      try {
        return await run({
          id,
          use: 'EXECUTION',
          userId: caller.userId,
          chatId: body.chat_id ?? null,
          code: body.code,
          files: body.files ?? [],
          signal: AbortSignal.any([signal, controller.signal]),
          onPhase: tellPhase(events, caller, id, body),
          window: null,
        })
      } finally {
        named.end(naming)
      }
    }),
    route(endpoints.code.stop, ({ caller, params }) => {
      if (!named.stop({ userId: caller.userId, name: params.id }))
        throw notFound('There is no run with this id.')
      return { status: true }
    }),
    route(endpoints.code.forget, async ({ caller, query }) => {
      await requireChat(caller, query.chat_id)
      return { status: await forget({ userId: caller.userId, chatId: query.chat_id }) }
    }),
  ]
}

function packageRoutes({ packages, runtimeFolder }: RouteParts): Route[] {
  const isRuntimeFile = (file: string): boolean =>
    (RUNTIME_FILES as readonly string[]).includes(file)
  return [
    route(endpoints.code.packages, () => packages.describe()),
    route(endpoints.code.fetchPackages, ({ body }) => {
      packages.begin(body.names)
      return packages.describe()
    }),
    route(endpoints.code.stopPackages, ({ query }) => {
      if (query.remove) packages.removeAll()
      else packages.stop()
      return packages.describe()
    }),
    httpRoute(
      endpoints.code.runtimeFile,
      async ({ params: { version, file }, response, signal }) => {
        const known = version === PYODIDE_VERSION
        const place = !known
          ? null
          : isRuntimeFile(file)
            ? path.join(runtimeFolder, file)
            : packages.find(file)
        if (place === null) throw notFound('There is no such file of the runtime.')
        response.writeHead(200, {
          'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
          'Content-Length': statSync(place).size,
          // The version is part of the URL.
          'Cache-Control': 'private, max-age=31536000, immutable',
        })
        try {
          await sendFile(place, response, { signal })
        } catch (error) {
          // The client disconnected; there is no response to send.
          if (!signal.aborted) throw error
        }
      },
    ),
  ]
}
