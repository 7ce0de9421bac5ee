import type { Role } from '#contract/common.ts'
import type { EventName } from './names.ts'

/** The actor: a user, or the provisioning system. */
export interface Actor {
  readonly type: 'user' | 'scim'
  readonly id: string | null
  readonly name: string
  readonly email?: string
  readonly role?: Role
}

/** An event before it is delivered. */
export interface Told {
  readonly actor?: Actor | null
  readonly subject?: { readonly type?: string; readonly id: string | null }
  readonly data?: Readonly<Record<string, unknown>>
  readonly source?: 'api' | 'scim' | 'system'
}

/** The body a receiver gets. Times are unix seconds. */
export interface EventBody {
  readonly schema: string
  readonly id: string
  readonly event: string
  readonly resource: string
  readonly operation: string
  readonly created_at: number
  readonly instance_id: null
  readonly version: string
  readonly source: string
  readonly actor: Actor | null
  readonly subject: { readonly type: string; readonly id: string | null } | null
  readonly data: Readonly<Record<string, unknown>>
  /** A sentence for readers, which chat services show. */
  readonly message: string
}

const LONGEST_TEXT = 1000
const MOST_VALUES = 100

/** Returns a fact as sent: texts and lists are truncated, and objects are omitted. */
function toFact(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…`.toWellFormed() : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (!Array.isArray(value)) return undefined
  return value
    .slice(0, MOST_VALUES)
    .filter((item) => typeof item === 'string' || typeof item === 'number')
}

export const toFacts = (data: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data)
      .map(([name, value]) => [name, toFact(value)] as const)
      .filter(([, value]) => value !== undefined),
  )

function describe(
  event: string,
  actor: Actor | null,
  data: Readonly<Record<string, unknown>>,
): string {
  const name = data['name'] ?? data['filename']
  const by = actor ? ` by ${actor.name}${actor.email ? ` (${actor.email})` : ''}` : ''
  return `${event}${by}${typeof name === 'string' ? `: ${name}` : ''}`
}

/** Returns the body of an event. */
export function toEventBody(
  event: EventName | 'webhook.test',
  { actor = null, subject, data = {}, source = 'api' }: Told,
  about: {
    readonly id: string
    readonly at: number
    readonly versions: { readonly api: string; readonly product: string }
  },
): EventBody {
  const dot = event.lastIndexOf('.')
  const resource = event.slice(0, dot)
  const facts = toFacts(data)
  return {
    schema: about.versions.api,
    id: about.id,
    event,
    resource,
    operation: event.slice(dot + 1),
    created_at: about.at,
    instance_id: null,
    version: about.versions.product,
    source,
    actor,
    subject: subject ? { type: subject.type ?? resource, id: subject.id } : null,
    data: facts,
    message: describe(event, actor, facts),
  }
}
