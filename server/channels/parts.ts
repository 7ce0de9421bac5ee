import type { ChannelActor } from '#contract/channel-events.ts'
import type { Access } from '../access/index.ts'
import type { Auth } from '../auth/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import type { Caller } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { requireFit } from '../lib/json/record-bounds.ts'
import type { ChannelsSettings } from './channels-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Live } from '../live/index.ts'
import type { Tasks } from '../tasks/index.ts'
import type { Users } from '../users/index.ts'
import { Audience } from './readers/audience.ts'
import { ChannelStore } from './channel-store.ts'
import { Clock } from './messages/clock.ts'
import { MemberIndex } from './members/members.ts'
import { MessageStore } from './messages/message-store.ts'
import { Rights } from './rights.ts'
import { MessageWriter } from './messages/to-message.ts'
import { WebhookStore } from './webhooks/webhook-store.ts'

/** An attached file, with the fields a message shows. */
interface AttachedFile {
  readonly id: string
  readonly user_id: string
  readonly filename: string
  readonly meta: { readonly name: string; readonly content_type: string; readonly size: number }
}

/** A question to a model on behalf of a user. */
export interface ModelQuestion {
  readonly caller: Caller
  readonly model: string
  readonly messages: readonly {
    readonly role: 'system' | 'user' | 'assistant'
    readonly content: string
  }[]
  /** Ids of the attached files the answer may use. */
  readonly files: readonly string[]
  readonly signal: AbortSignal
}

export interface ChannelsDependencies {
  readonly storage: Storage
  readonly settings: ChannelsSettings
  readonly users: Users
  readonly groups: Groups
  readonly access: Access
  readonly events: Pick<Events, 'emitToAll' | 'connected' | 'onChannelSignal'>
  readonly tasks: Tasks
  /** Identifies the origin of a call, for counting calls with a wrong URL. */
  readonly auth: Auth
  /** The other gateways on the same database; null or absent if there are none. */
  readonly live?: Live | null
  readonly log: Logger
  readonly files: {
    /** Resolves with a file as a user may see it; null if they may not. */
    get(userId: string, id: string): Promise<AttachedFile | null>
  }
  readonly models: {
    /** Models a user may use. */
    list(caller: Caller): Promise<readonly { readonly id: string; readonly name: string }[]>
  }
  readonly completions: {
    /** Yields the text of an answer in chunks. */
    streamText(question: ModelQuestion): AsyncIterable<string>
  }
}

/** Shared dependencies of the operations of the domain. */
export interface ChannelParts extends ChannelsDependencies {
  readonly store: ChannelStore
  readonly messages: MessageStore
  readonly webhooks: WebhookStore
  readonly members: MemberIndex
  readonly rights: Rights
  readonly audience: Audience
  readonly writer: MessageWriter
  readonly clock: Clock
}

export async function createChannelParts(
  dependencies: ChannelsDependencies,
): Promise<ChannelParts> {
  const { storage, users, events } = dependencies
  const store = new ChannelStore(storage)
  const messages = new MessageStore(storage)
  const members = new MemberIndex(store)
  const rights = new Rights({ ...dependencies, store, members })
  return {
    ...dependencies,
    store,
    messages,
    webhooks: new WebhookStore(storage),
    members,
    rights,
    audience: new Audience(events, members, rights),
    writer: new MessageWriter({ store: messages, users, tasks: dependencies.tasks }),
    clock: new Clock(await messages.lastTime()),
  }
}

export const actorOf = ({ userId, name }: Pick<Caller, 'userId' | 'name'>): ChannelActor => ({
  id: userId,
  name,
})

/** Maximum size of the free-form fields of a channel or message, in characters of their JSON. */
const LONGEST_FIELDS = 256 * 1024

/** Returns the free-form fields as stored; throws 413 if they are too large. */
export function toStoredFields(
  fields: Record<string, unknown> | null | undefined,
  subject: string,
): string | null {
  if (fields == null) return null
  requireFit(fields, subject, { values: 10_000, characters: LONGEST_FIELDS })
  checkPlainJson(fields, subject)
  return JSON.stringify(fields)
}
