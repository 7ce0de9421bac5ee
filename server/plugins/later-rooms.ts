import type { ChatCompletion } from '#contract/completions.ts'
import type { Model } from '#contract/models.ts'
import type { ToolItem } from '#contract/tools.ts'
import type { ModelQuestion } from '../extensions/model-question.ts'
import type { RequestContext } from '../extensions/request-context.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import type { OpenBelt, ToolBelt } from '../extensions/tool-belt.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller, Route } from '../lib/http.ts'
import type { CompletionFrame } from '../providers/index.ts'

/** What plugins ask of rooms right of them in the order of the server. */
export interface GatewayRooms {
  readonly models: {
    list(caller: Caller): Promise<Model[]>
    resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel>
  }
  readonly askModel: {
    complete(question: ModelQuestion): Promise<ChatCompletion>
    stream(question: ModelQuestion): AsyncGenerator<CompletionFrame, void, void>
  }
  /** Tools of any kind; those the caller may not use are left out. */
  readonly openTools: OpenBelt
  /** Tools that are no plugins. */
  readonly toolServers: { listFor(caller: Caller): Promise<readonly ToolItem[]> }
  /** All routes of the gateway. */
  readonly routes: readonly Route[]
}

/** Holds the rooms that are built after plugins, given once all of them are there. */
export class LaterRooms {
  #rooms: GatewayRooms | null = null

  connect(rooms: GatewayRooms): void {
    this.#rooms = rooms
  }

  get rooms(): GatewayRooms {
    if (!this.#rooms)
      throw new Error('Plugins asked for a part of the gateway that is not built yet.')
    return this.#rooms
  }

  /** The model of a request that names it, as lists show it; null when the caller may not use it. */
  async findModel(caller: Caller, id: string): Promise<Model | null> {
    return (await this.rooms.models.list(caller)).find((model) => model.id === id) ?? null
  }

  /** All tools of a request, for pipes that call them themselves. */
  async openTools(origin: RequestContext): Promise<ToolBelt | null> {
    return this.rooms.openTools(origin, origin.sent)
  }

  /** Tools by their ids, for plugins that call them. */
  async openToolsById(origin: CallOrigin, ids: readonly string[]): Promise<ToolBelt | null> {
    const { models, openTools } = this.rooms
    const resolved = await models.resolve(origin.caller, origin.sent.model)
    return openTools({ ...origin, resolved }, { tool_ids: [...ids] })
  }
}
