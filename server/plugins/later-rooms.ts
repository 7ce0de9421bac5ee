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

/** Services that plugins use from modules created after them. */
interface GatewayRooms {
  readonly models: {
    list(caller: Caller): Promise<Model[]>
    resolve(caller: Caller, id: string): ResolvedModel | Promise<ResolvedModel>
  }
  readonly askModel: {
    complete(question: ModelQuestion): Promise<ChatCompletion>
    stream(question: ModelQuestion): AsyncGenerator<CompletionFrame, void, void>
  }
  /** Opens tools of any kind; omits those the caller may not use. */
  readonly openTools: OpenBelt
  /** Tools that belong to no plugin. */
  readonly toolServers: { list(caller: Caller): Promise<readonly ToolItem[]> }
  /** All routes of the gateway. */
  readonly routes: readonly Route[]
}

/** Holds the modules created after plugins; set once all of them exist. */
export class LaterRooms {
  #rooms: GatewayRooms | null = null

  /** Sets the services that are created after plugins; must be called once. */
  connect(rooms: GatewayRooms): void {
    this.#rooms = rooms
  }

  get rooms(): GatewayRooms {
    if (!this.#rooms)
      throw new Error('Plugins asked for a part of the gateway that is not built yet.')
    return this.#rooms
  }

  /**
   * Returns the model of a request that names it, as shown in lists; null if the caller may not use
   * it.
   */
  async findModel(caller: Caller, id: string): Promise<Model | null> {
    return (await this.rooms.models.list(caller)).find((model) => model.id === id) ?? null
  }

  /** Opens all tools of a request, for pipes that call them themselves. */
  async openTools(origin: RequestContext): Promise<ToolBelt | null> {
    return this.rooms.openTools(origin, origin.sent)
  }

  /** Opens tools by their ids, for plugins that call them. */
  async openToolsById(origin: CallOrigin, ids: readonly string[]): Promise<ToolBelt | null> {
    const { models, openTools } = this.rooms
    const resolved = await models.resolve(origin.caller, origin.sent.model)
    return openTools({ ...origin, resolved }, { tool_ids: [...ids] })
  }
}
