import type { Import, ImportResult } from '#contract/imports.ts'
import { badRequest } from '../../lib/errors.ts'
import { runInTurns } from '../../lib/turns.ts'
import { RemoteCalls, SharedEntries, type Live } from '../../live/index.ts'
import type { ChatContext } from '../chat-context.ts'
import { findState } from './import-chat.ts'
import { findPromptState } from './import-prompt.ts'
import type { ArchivePrompt } from './archive-chat.ts'
import { ImportSessions, type ImportSession } from './import-sessions.ts'
import { runImport } from './run-import.ts'

/** Number of chats whose state is looked up in one step. */
const STEP = 20

/** Call about an archive, which only the gateway that has its file can execute. */
type ImportCall = { readonly userId: string; readonly importId: string } & (
  | { readonly kind: 'describe' | 'forget' | 'check-idle' }
  /** Null imports all chats. */
  | {
      readonly kind: 'run'
      readonly keys: readonly string[] | null
      readonly prompts: boolean
      readonly files: boolean
    }
)

interface Answers {
  readonly describe: Import
  readonly run: ImportResult
  readonly forget: true
  readonly 'check-idle': true
}

const offeredPrompts = (
  { promptLibrary }: ChatContext,
  { content }: ImportSession,
): readonly ArchivePrompt[] => (promptLibrary ? content.prompts : [])

async function* describe(
  context: ChatContext,
  session: ImportSession,
): AsyncGenerator<void, Import> {
  const place = { userId: session.userId, source: session.content.source, runId: session.runId }
  const chats: Import['chats'] = []
  for (const summary of session.chats.values()) {
    const { key, title, created_at, message_count, branch_count } = summary
    chats.push({
      key,
      title,
      created_at,
      message_count,
      branch_count,
      state: await findState(context, place, summary),
    })
    if (chats.length % STEP === 0) yield
  }
  const prompts: Import['prompts'] = []
  for (const prompt of offeredPrompts(context, session)) {
    const { key, name, command } = prompt
    prompts.push({ key, name, command, state: await findPromptState(context, place, prompt) })
    if (prompts.length % STEP === 0) yield
  }
  const { id, problems, state, progress, result } = session
  return {
    import_id: id,
    source: place.source,
    chats,
    prompts,
    file_count: session.content.files.length,
    file_bytes: session.content.files.reduce((sum, { bytes }) => sum + bytes, 0),
    folder_count: session.content.folders.length,
    problems: [...problems],
    state,
    progress: { ...progress },
    result,
  }
}

/**
 * Calls about the archives of all users. The file of an archive stays on the gateway that received
 * it; a call that arrives at another one is passed on to it.
 */
export class ImportCalls {
  readonly #context: ChatContext
  readonly sessions: ImportSessions
  /** Archives by their ids, and the calls about those of other gateways. */
  readonly #shared: {
    readonly entries: SharedEntries<{ readonly userId: string }>
    readonly calls: RemoteCalls<ImportCall, Answers[ImportCall['kind']]>
  } | null

  constructor(
    context: ChatContext,
    { folder, live }: { readonly folder: string; readonly live: Live | null },
  ) {
    this.#context = context
    this.#shared = live && {
      entries: new SharedEntries(live, 'imports'),
      calls: new RemoteCalls(live, 'import', (call) => this.#execute(call)),
    }
    this.sessions = new ImportSessions(folder, ({ id }) => this.#shared?.entries.remove(id))
  }

  /** Must be awaited before the gateway serves requests. */
  async open(): Promise<void> {
    await this.#shared?.calls.open()
    await this.#shared?.entries.open()
  }

  /** Executes a call on the gateway that has the archive. */
  async make<Kind extends ImportCall['kind']>(
    call: ImportCall & { readonly kind: Kind },
  ): Promise<Answers[Kind]> {
    const found = this.#shared?.entries.find(call.importId)
    const answer =
      found?.entry.userId === call.userId
        ? this.#shared!.calls.ask(found.replica, call)
        : this.#execute(call)
    return (await answer) as Answers[Kind]
  }

  /** Describes a new archive, which from then on is found by calls to any gateway. */
  async present(session: ImportSession): Promise<Import> {
    await this.#shared?.entries.introduce(session.id, { userId: session.userId })
    return this.#describe(session)
  }

  #describe(session: ImportSession): Promise<Import> {
    return runInTurns(describe(this.#context, session))
  }

  async #execute(call: ImportCall): Promise<Answers[ImportCall['kind']]> {
    const { userId, importId } = call
    switch (call.kind) {
      case 'describe':
        return this.#describe(this.sessions.require(userId, importId))
      case 'run':
        return this.#run(this.sessions.require(userId, importId), call)
      case 'check-idle':
        this.sessions.requireIdle(userId, importId)
        return true
      case 'forget':
        this.sessions.forget(this.sessions.require(userId, importId))
        return true
    }
  }

  async #run(
    session: ImportSession,
    { keys, prompts, files }: Extract<ImportCall, { kind: 'run' }>,
  ): Promise<ImportResult> {
    const chats =
      keys === null
        ? [...session.chats.values()]
        : [...new Set(keys)].flatMap((key) => session.chats.get(key) ?? [])
    const listed = prompts ? offeredPrompts(this.#context, session).length : 0
    if (chats.length + listed === 0)
      throw badRequest('Choose the chats to import by their "keys", or send "all": true.')
    this.sessions.begin(session, chats.length + listed)
    let result: ImportResult | null = null
    try {
      result = await runInTurns(
        runImport(this.#context, session, {
          chats,
          prompts: listed > 0,
          files,
          newFile: () => this.sessions.newFile(),
        }),
      )
      return result
    } finally {
      this.sessions.end(session, result)
    }
  }
}
